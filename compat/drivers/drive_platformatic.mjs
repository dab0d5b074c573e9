// Drives @platformatic/kafka 2.12.1: reads a task and its steps from stdin and prints what happened, see
// compat/README.md.
//
// Needs the client and Node 22 or later. It reads in groups only, so each reader is a group of its own.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import {
  Consumer,
  FetchIsolationLevels,
  MessagesStreamFallbackModes,
  MessagesStreamModes,
  Producer,
  compressionsAlgorithms,
} from "@platformatic/kafka";

const PATIENCE_MS = 60_000;
const SETTLED_MS = 200; // how long to listen for records that should not come
const BATCH_BYTES = 16_384; // a batch is refused as a whole, so a large record is sent alone

const say = (event) => process.stdout.write(JSON.stringify(event) + "\n");
const raw = (text) => (text === null ? null : Buffer.from(text, "hex"));
const textOf = (data) => (data === null || data === undefined ? null : data.toString("hex"));

class Unable extends Error {}

const loggedIn = (login) =>
  login === undefined
    ? {}
    : {
        tls: { ca: [readFileSync(login.ca_file)] },
        sasl: { mechanism: login.mechanism, username: login.user, password: login.password },
      };

class Driver {
  constructor(task) {
    this.topic = task.topic;
    this.partitions = task.partitions;
    this.codec = task.codec;
    this.idempotent = task.idempotent;
    const bootstrapBrokers = task.settings.bootstrap_servers.split(",");
    this.settings = { clientId: "driver", bootstrapBrokers, ...loggedIn(task.login) };
    this.kept = null; // the producer of all steps that keep it
    this.readers = new Map();
    this.groups = 0;
  }

  producer(more) {
    if (!compressionsAlgorithms[this.codec].available) throw new Unable(`codec ${this.codec}`);
    return new Producer({ ...this.settings, acks: -1, compression: this.codec, autocreateTopics: false, ...more });
  }

  async sendAll(sender, records) {
    for (const portion of portions(records)) {
      try {
        const sent = await sender.send({ messages: portion.map((record) => this.message(record)) });
        const next = new Map(sent.offsets.map(({ partition, offset }) => [partition, Number(offset)]));
        for (const { uid, partition } of portion) {
          say({ event: "acked", uid, partition, offset: next.get(partition) });
          next.set(partition, next.get(partition) + 1);
        }
      } catch (e) {
        for (const { uid } of portion) say({ event: "refused", uid, error: story(e) });
      }
    }
  }

  message({ key, value, partition, timestamp, headers }) {
    return {
      topic: this.topic,
      partition,
      key: raw(key),
      value: raw(value),
      timestamp: timestamp === null ? undefined : BigInt(timestamp),
      headers: new Map(headers.map(([name, content]) => [Buffer.from(name), raw(content)])), // a name may occur twice
    };
  }

  async produce({ records, keep = false, idempotent = null }) {
    const producer = (keep ? this.kept : null) ?? this.producer({ idempotent: idempotent ?? this.idempotent });
    if (keep) this.kept = producer;
    try {
      await this.sendAll(producer, records);
    } finally {
      if (!keep) await producer.close();
    }
  }

  async transactions({ transactional_id: transactionalId, transactions }) {
    const producer = this.producer({ transactionalId, idempotent: true });
    try {
      for (const { records, end } of transactions) {
        const transaction = await producer.beginTransaction();
        await this.sendAll(transaction, records);
        await (end === "commit" ? transaction.commit() : transaction.abort());
        say({ event: "ended", how: end });
      }
    } finally {
      await producer.close();
    }
  }

  async read({ reader, count, committed_only: committedOnly = false, keep = false }) {
    let member = this.readers.get(reader);
    if (member === undefined) {
      const { READ_COMMITTED, READ_UNCOMMITTED } = FetchIsolationLevels;
      member = this.member(this.ownGroup(), { isolationLevel: committedOnly ? READ_COMMITTED : READ_UNCOMMITTED });
      this.readers.set(reader, member);
      await member.join({ autocommit: true, ...FROM_COMMITTED });
    }
    await told([member], reader, count);
    await sleep(SETTLED_MS);
    member.tell(reader);
    if (!keep) await this.leave(reader);
  }

  async seek({ reader, timestamp, count }) {
    const member = this.member(this.ownGroup(), {});
    this.readers.set(reader, member);
    const topics = [this.topic];
    const found = (await member.consumer.listOffsets({ topics, timestamp: BigInt(timestamp) })).get(this.topic);
    const ends = (await member.consumer.listOffsets({ topics })).get(this.topic);
    for (const [partition, offset] of found.entries()) {
      say({ event: "sought", partition, offset: offset < 0n ? null : Number(offset) });
    }
    const starts = found.map((offset, partition) => (offset < 0n ? ends[partition] : offset));
    const offsets = starts.map((offset, partition) => ({ topic: this.topic, partition, offset }));
    await member.join({ autocommit: false, mode: MessagesStreamModes.MANUAL, offsets });
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
      await Promise.all(found.map((member) => member.join({ autocommit: false, ...FROM_COMMITTED })));
      await until(() => found.every(({ mine }) => mine.length > 0 && mine.length <= share));
      await this.produce({ records });
      await told(found, reader, records.length);
      for (const [n, member] of found.entries()) {
        await member.commit();
        say({ event: "member", member: n, partitions: member.mine });
      }
    } finally {
      await Promise.all(found.map((member) => member.consumer.close(true)));
    }
  }

  member(groupId, more) {
    const consumer = new Consumer({ ...this.settings, groupId, maxWaitTime: 50, sessionTimeout: 10_000, ...more });
    return new Member(this.topic, consumer);
  }

  ownGroup() {
    this.groups += 1;
    return `reader-${process.pid}-${this.groups}`;
  }

  async leave(reader) {
    const member = this.readers.get(reader);
    this.readers.delete(reader);
    await member.consumer.close(true);
  }

  async close() {
    for (const reader of [...this.readers.keys()]) await this.leave(reader);
    await this.kept?.close();
  }
}

const FROM_COMMITTED = { mode: MessagesStreamModes.COMMITTED, fallbackMode: MessagesStreamFallbackModes.EARLIEST };

// A consumer, its partitions, and what it has read and not reported yet.
class Member {
  constructor(topic, consumer) {
    this.topic = topic;
    this.consumer = consumer;
    this.read = [];
    this.next = new Map();
  }

  async join(how) {
    const stream = await this.consumer.consume({ topics: [this.topic], ...how });
    stream.on("error", (e) => say({ event: "told", error: story(e) }));
    stream.on("data", (message) => this.read.push(message));
  }

  get mine() {
    const found = (this.consumer.assignments ?? []).find(({ topic }) => topic === this.topic);
    return [...(found?.partitions ?? [])].sort();
  }

  async commit() {
    const offsets = [...this.next.values()];
    if (offsets.length) await this.consumer.commit({ offsets });
  }

  tell(reader) {
    const told = this.read.splice(0);
    for (const { partition, offset, key, value, headerEntries, timestamp, leaderEpoch } of told) {
      this.next.set(partition, { topic: this.topic, partition, offset: offset + 1n, leaderEpoch });
      say({
        event: "consumed",
        reader,
        partition,
        offset: Number(offset),
        key: textOf(key),
        value: textOf(value),
        headers: headerEntries.map(([name, content]) => [name.toString(), textOf(content)]),
        timestamp: Number(timestamp),
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

// The message of an error that combines several says only that, so their own messages are given.
function story(e) {
  return e.errors?.length ? e.errors.map(story).join("; ") : String(e);
}

async function doStep(driver, { do: what, ...step }) {
  const known = ["produce", "read", "seek", "group", "transactions"].includes(what);
  try {
    if (!known) throw new Unable(what);
    await driver[what](step);
  } catch (e) {
    say(e instanceof Unable ? { event: "unable", what: e.message } : { event: "error", error: story(e) });
  }
  say({ event: "done" });
}

// The package does not export its own package.json; it lies beside the files that it exports.
function version() {
  const main = new URL(import.meta.resolve("@platformatic/kafka"));
  return JSON.parse(readFileSync(new URL("../package.json", main), "utf8")).version;
}

async function main() {
  let driver = null;
  for await (const line of createInterface({ input: process.stdin })) {
    if (driver !== null) await doStep(driver, JSON.parse(line));
    else {
      driver = new Driver(JSON.parse(line));
      say({ event: "library", version: version(), node: process.version });
    }
  }
  await driver?.close();
  process.exit(0);
}

await main();
