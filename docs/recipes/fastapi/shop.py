import os
from contextlib import asynccontextmanager

from aiokafka import AIOKafkaProducer
from fastapi import FastAPI


@asynccontextmanager
async def lifespan(app):
    app.state.producer = AIOKafkaProducer(bootstrap_servers=os.environ["KAFKA"])
    await app.state.producer.start()
    try:
        yield
    finally:
        await app.state.producer.stop()


app = FastAPI(lifespan=lifespan)


@app.post("/orders")
async def order(thing: str):
    metadata = await app.state.producer.send_and_wait("orders", thing.encode())
    return {"offset": metadata.offset}
