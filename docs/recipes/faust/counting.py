import faust


def application(servers, datadir):
    app = faust.App(
        "counting",
        broker=f"kafka://{servers}",
        datadir=datadir,
        store="memory://",
        topic_partitions=1,
        web_enabled=False,
        value_serializer="raw",
    )
    orders = app.topic("orders", value_type=bytes)
    app.counts = app.Table("counts", default=int, key_type=str, value_type=int)

    @app.agent(orders)
    async def count(stream):
        async for order in stream:
            app.counts[order.decode()] += 1

    return app
