import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Kafka, logLevel } from "kafkajs";
import { fakeKafka } from "./kafka.js";

process.env.KAFKAJS_NO_PARTITIONER_WARNING = "1";

for (const release of ["0.11.0", "2.3", "3.9"]) {
  let broker;
  before(async () => { broker = await fakeKafka(release, "--topic", "orders:1"); });
  after(async () => { await broker.stop(); });

  test(`an order reaches a consumer through Kafka ${release}`, async () => {
    const kafka = new Kafka({ brokers: [broker.servers], logLevel: logLevel.NOTHING });
    const producer = kafka.producer();
    await producer.connect();
    await producer.send({ topic: "orders", messages: [{ key: "ann", value: "apples" }] });
    await producer.disconnect();

    const consumer = kafka.consumer({ groupId: "shipping" });
    await consumer.subscribe({ topic: "orders", fromBeginning: true });
    const order = await new Promise((resolve) => {
      consumer.run({ eachMessage: async ({ message }) => resolve(message.value.toString()) });
    });
    await consumer.disconnect();
    assert.equal(order, "apples");
  });
}
