// Drives kafkajs, 1.4.0 to 2.2.4: reads a task and its steps from stdin and prints what happened, see compat/README.md.
//
// Needs the client and Node. The client's own log goes to stderr. kafkajs reads in groups only, so each reader is
// a group of its own; it has gzip and no other codec.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import kafkajs from "kafkajs";

const { CompressionTypes, Kafka, Partitioners, logLevel } = kafkajs; // old versions have no Partitioners

const PATIENCE_MS = 60_000;
const SETTLED_MS = 200; // how long to listen for records that should not come
const BATCH_BYTES = 16_384; // a batch is refused as a whole, so a large record is sent alone

const say = (event) => process.stdout.write(JSON.stringify(event) + "\n");
const raw = (text) => (text === null ? null : Buffer.from(text, "hex"));
const textOf = (data) => (data === null || data === undefined ? null : Buffer.from(data).toString("hex"));

class Unable extends Error {}

const loggedIn = (login) =>
  login === undefined
    ? {}
    : {
        ssl: { ca: [readFileSync(login.ca_file)] },
        sasl: { mechanism: login.mechanism.toLowerCase(), username: login.user, password: login.password },
      };

class Driver {
  constructor(task) {
    this.topic = task.topic;
    this.partitions = task.partitions;
    this.codec = task.codec;
    this.idempotent = task.idempotent;
    this.kafka = new Kafka({
      clientId: "driver",
      brokers: task.settings.bootstrap_servers.split(","),
      ...loggedIn(task.login),
      logLevel: logLevel.WARN,
      logCreator: () => ({ namespace, log }) => console.error(namespace, log.message, log.error ?? ""),
      retry: { initialRetryTime: 100, retries: 8 },
    });
    this.kept = null; // the producer of all steps that keep it
    this.readers = new Map();
    this.groups = 0;
  }

  async producer(more) {
    const createPartitioner = Partitioners?.DefaultPartitioner;
    const producer = this.kafka.producer({ createPartitioner, allowAutoTopicCreation: false, ...more });
    await producer.connect();
    return producer;
  }

  async sendAll(sender, records) {
    if (this.codec !== "none" && this.codec !== "gzip") throw new Unable(`codec ${this.codec}`);
    const compression = this.codec === "gzip" ? CompressionTypes.GZIP : CompressionTypes.None;
    for (const portion of portions(records)) {
      try {
        const sent = await sender.send({ topic: this.topic, acks: -1, compression, messages: portion.map(message) });
        const next = new Map(sent.map((each) => [each.partition, Number(each.baseOffset)]));
        for (const { uid, partition } of portion) {
          say({ event: "acked", uid, partition, offset: next.get(partition) });
          next.set(partition, next.get(partition) + 1);
        }
      } catch (e) {
        for (const { uid } of portion) say({ event: "refused", uid, error: String(e) });
      }
    }
  }

  async produce({ records, keep = false, idempotent = null }) {
    const more = { idempotent: idempotent ?? this.idempotent };
    const producer = (keep ? this.kept : null) ?? (await this.producer(more));
    if (keep) this.kept = producer;
    try {
      await this.sendAll(producer, records);
    } finally {
      if (!keep) await producer.disconnect();
    }
  }

  async transactions({ transactional_id: transactionalId, transactions }) {
    const producer = await this.producer({ transactionalId, idempotent: true, maxInFlightRequests: 1 });
    try {
      for (const { records, end } of transactions) {
        const transaction = await producer.transaction();
        await this.sendAll(transaction, records);
        await (end === "commit" ? transaction.commit() : transaction.abort());
        say({ event: "ended", how: end });
      }
    } finally {
      await producer.disconnect();
    }
  }

  async read({ reader, count, committed_only: committedOnly = false, keep = false }) {
    let member = this.readers.get(reader);
    if (member === undefined) {
      member = this.member(this.ownGroup(), { readUncommitted: !committedOnly });
      this.readers.set(reader, member);
      await member.join({ autoCommit: true, autoCommitThreshold: 1 });
    }
    await told([member], reader, count);
    await sleep(SETTLED_MS);
    member.tell(reader);
    if (!keep) await this.leave(reader);
  }

  async seek({ reader, timestamp, count }) {
    const admin = this.kafka.admin();
    await admin.connect();
    const found = await admin.fetchTopicOffsetsByTimestamp(this.topic, timestamp);
    const ends = new Map((await admin.fetchTopicOffsets(this.topic)).map(({ partition, high }) => [partition, high]));
    await admin.disconnect();
    for (const { partition, offset } of found) {
      const none = offset === ends.get(partition); // if there is no such offset, kafkajs returns the end
      say({ event: "sought", partition, offset: none ? null : Number(offset) });
    }
    const member = this.member(this.ownGroup(), { readUncommitted: true });
    this.readers.set(reader, member);
    await member.join({ autoCommit: false }, found);
    await told([member], reader, count);
    await sleep(SETTLED_MS);
    member.tell(reader);
    await this.leave(reader);
  }

  // All members have partitions before the records are produced, so that no member reads what another has read.
  async group({ reader, group, members, records }) {
    const share = Math.ceil(this.partitions / members);
    const found = Array.from({ length: members }, () => this.member(group, { heartbeatInterval: 300 }));
    try {
      await Promise.all(found.map((member) => member.join({ autoCommit: false })));
      await until(() => found.every(({ mine }) => mine.length > 0 && mine.length <= share));
      await this.produce({ records });
      await told(found, reader, records.length);
      for (const [n, member] of found.entries()) {
        await member.commit();
        say({ event: "member", member: n, partitions: member.mine });
      }
    } finally {
      await Promise.all(found.map((member) => member.consumer.disconnect()));
    }
  }

  member(groupId, more) {
    const waits = { maxWaitTimeInMs: 50, sessionTimeout: 10_000 };
    return new Member(this.topic, this.kafka.consumer({ groupId, allowAutoTopicCreation: false, ...waits, ...more }));
  }

  ownGroup() {
    this.groups += 1;
    return `reader-${process.pid}-${this.groups}`;
  }

  async leave(reader) {
    const member = this.readers.get(reader);
    this.readers.delete(reader);
    await member.consumer.disconnect();
  }

  async close() {
    for (const reader of [...this.readers.keys()]) await this.leave(reader);
    await this.kept?.disconnect();
  }
}

// A consumer, its partitions, and what it has read and not reported yet.
class Member {
  constructor(topic, consumer) {
    this.topic = topic;
    this.consumer = consumer;
    this.mine = [];
    this.read = [];
    this.next = new Map();
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      this.mine = [...(payload.memberAssignment[topic] ?? [])].sort();
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => say({ event: "told", error: String(payload.error) }));
  }

  async join(how, positions = []) {
    const eachMessage = async (found) => void this.read.push(found);
    await this.consumer.connect();
    await this.consumer.subscribe({ topic: this.topic, fromBeginning: true });
    const running = this.consumer.run({ eachMessage, ...how });
    for (const { partition, offset } of positions) this.consumer.seek({ topic: this.topic, partition, offset });
    await running;
  }

  async commit() {
    const offsets = [...this.next].map(([partition, offset]) => ({ topic: this.topic, partition, offset }));
    if (offsets.length) await this.consumer.commitOffsets(offsets);
  }

  tell(reader) {
    const told = this.read.splice(0);
    for (const { partition, message: found } of told) {
      this.next.set(partition, String(Number(found.offset) + 1));
      say({
        event: "consumed",
        reader,
        partition,
        offset: Number(found.offset),
        key: textOf(found.key),
        value: textOf(found.value),
        headers: headers(found.headers ?? {}),
        timestamp: found.timestamp === undefined ? null : Number(found.timestamp),
        timestamp_type: found.batchContext?.timestampType ?? null,
      });
    }
    return told.length;
  }
}

async function told(members, reader, count) {
  let got = 0;
  await until(() => (got += members.reduce((sum, member) => sum + member.tell(reader), 0)) >= count);
}

async function until(holds) {
  const end = Date.now() + PATIENCE_MS;
  while (!holds() && Date.now() < end) await sleep(20);
}

function* portions(records) {
  let portion = [];
  let size = 0;
  for (const record of records) {
    const length = ((record.key ?? "").length + (record.value ?? "").length) / 2;
    if (portion.length && size + length > BATCH_BYTES) {
      yield portion;
      portion = [];
      size = 0;
    }
    portion.push(record);
    size += length;
  }
  if (portion.length) yield portion;
}

// kafkajs has headers by name: several with the same name are a list.
function message(record) {
  const found = {};
  for (const [name, value] of record.headers) (found[name] ??= []).push(raw(value));
  const timestamp = record.timestamp === null ? undefined : String(record.timestamp);
  return { key: raw(record.key), value: raw(record.value), partition: record.partition, timestamp, headers: found };
}

function headers(found) {
  return Object.entries(found).flatMap(([name, values]) => [values].flat().map((value) => [name, textOf(value)]));
}

async function doStep(driver, { do: what, ...step }) {
  const known = ["produce", "read", "seek", "group", "transactions"].includes(what);
  try {
    if (!known) throw new Unable(what);
    await driver[what](step);
  } catch (e) {
    say(e instanceof Unable ? { event: "unable", what: e.message } : { event: "error", error: String(e) });
  }
  say({ event: "done" });
}

async function main() {
  const { version } = createRequire(import.meta.url)("kafkajs/package.json");
  let driver = null;
  for await (const line of createInterface({ input: process.stdin })) {
    if (driver !== null) await doStep(driver, JSON.parse(line));
    else {
      driver = new Driver(JSON.parse(line));
      say({ event: "library", version, node: process.version });
    }
  }
  await driver?.close();
  process.exit(0);
}

await main();
