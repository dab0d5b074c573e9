// Drives Kafka's Java client 0.9.0.1: reads a task and its steps from stdin and prints what happened, see
// compat/README.md.
//
// Needs the client and a JDK. The client's own log goes to stderr. It has no headers, timestamps, transactions or
// offsets by timestamp. The JSON reader is at the end.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

class Driver {
    private static final long PATIENCE_MS = 60_000;
    /** How long to listen for records that should not come. */
    private static final long SETTLED_MS = 200;

    private final String topic;
    private final int partitions;
    private final String codec;
    private final Map<String, Object> settings = new HashMap<>();
    private final Map<Integer, KafkaConsumer<byte[], byte[]>> readers = new HashMap<>();
    private KafkaProducer<byte[], byte[]> kept;

    Driver(Map<String, Object> task) {
        topic = (String) task.get("topic");
        partitions = number(task.get("partitions"));
        codec = (String) task.get("codec");
        settings.putAll(object(task.get("settings")));
    }

    public static void main(String[] arguments) throws IOException {
        System.setProperty("org.slf4j.simpleLogger.defaultLogLevel", "warn");
        var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        var driver = new Driver(object(Json.read(lines.readLine())));
        say("library", "version", version(), "java", System.getProperty("java.version"));
        for (String line; (line = lines.readLine()) != null; say("done")) {
            try {
                driver.step(object(Json.read(line)));
            } catch (Exception e) {
                say("error", "error", e.toString());
            }
        }
        driver.close();
    }

    private void step(Map<String, Object> step) throws InterruptedException {
        var what = (String) step.get("do");
        switch (what) {
            case "produce" -> produce(step);
            case "read" -> read(step);
            case "group" -> group(step);
            default -> say("unable", "what", what);
        }
    }

    private void close() {
        readers.values().forEach(KafkaConsumer::close);
        if (kept != null) kept.close();
    }

    private KafkaProducer<byte[], byte[]> producer(Object maxBytes) {
        var all = new HashMap<>(settings);
        all.putAll(Map.of("acks", "all", "compression.type", codec, "linger.ms", 5, "retries", 5));
        if (maxBytes != null) all.put("max.request.size", number(maxBytes));
        return new KafkaProducer<>(all, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> more) {
        var all = new HashMap<>(settings);
        all.putAll(Map.of("auto.offset.reset", "earliest", "enable.auto.commit", false, "fetch.max.wait.ms", 50));
        all.putAll(more);
        return new KafkaConsumer<>(all, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    }

    private void sendAll(KafkaProducer<byte[], byte[]> producer, List<Map<String, Object>> records) {
        for (var each : records) {
            var uid = each.get("uid");
            var partition = number(each.get("partition"));
            var record = new ProducerRecord<>(topic, partition, raw(each.get("key")), raw(each.get("value")));
            producer.send(record, (done, e) -> {
                if (e != null) say("refused", "uid", uid, "error", e.toString());
                else say("acked", "uid", uid, "partition", done.partition(), "offset", done.offset());
            });
        }
        producer.flush();
    }

    private void produce(Map<String, Object> step) {
        if (flag(step, "idempotent")) {
            say("unable", "what", "produce idempotently");
            return;
        }
        var keep = flag(step, "keep");
        var producer = keep && kept != null ? kept : producer(step.get("max_bytes"));
        if (keep) kept = producer;
        sendAll(producer, objects(step.get("records")));
        if (!keep) producer.close();
    }

    private void read(Map<String, Object> step) {
        if (flag(step, "committed_only")) {
            say("unable", "what", "read committed records only");
            return;
        }
        var reader = number(step.get("reader"));
        var consumer = readers.computeIfAbsent(reader, n -> assigned());
        var until = System.currentTimeMillis() + PATIENCE_MS;
        var left = number(step.get("count"));
        while (left > 0 && System.currentTimeMillis() < until) left -= tell(consumer.poll(SETTLED_MS), reader);
        tell(consumer.poll(SETTLED_MS), reader);
        if (!flag(step, "keep")) readers.remove(reader).close();
    }

    private KafkaConsumer<byte[], byte[]> assigned() {
        var consumer = consumer(Map.of("group.id", "not-joined"));
        consumer.assign(IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList());
        return consumer;
    }

    /** All members have partitions before the records are produced, so that no member reads what another has read. */
    private void group(Map<String, Object> step) throws InterruptedException {
        var records = objects(step.get("records"));
        var members = IntStream.range(0, number(step.get("members"))).mapToObj(n -> new Member(n, step)).toList();
        var until = System.currentTimeMillis() + PATIENCE_MS;
        members.forEach(Thread::start);
        while (!members.stream().allMatch(Member::hasItsShare) && System.currentTimeMillis() < until) Thread.sleep(20);
        produce(Map.<String, Object>of("records", records));
        while (members.stream().mapToInt(m -> m.got).sum() < records.size() && System.currentTimeMillis() < until) {
            Thread.sleep(20);
        }
        members.forEach(member -> member.ends = true);
        for (var member : members) member.join();
        members.forEach(Member::leave);
    }

    /** A poll of this client does not end before the group is settled: each member polls in its own thread. */
    private class Member extends Thread {
        private final int number;
        private final int reader;
        private final int share;
        private final KafkaConsumer<byte[], byte[]> consumer;
        private volatile List<Integer> mine = List.of();
        private volatile int got = 0;
        private volatile boolean ends = false;

        Member(int number, Map<String, Object> step) {
            this.number = number;
            reader = number(step.get("reader"));
            share = (partitions + number(step.get("members")) - 1) / number(step.get("members"));
            consumer = consumer(Map.of("group.id", step.get("group"), "heartbeat.interval.ms", 300));
            consumer.subscribe(List.of(topic));
        }

        boolean hasItsShare() {
            return !mine.isEmpty() && mine.size() <= share;
        }

        @Override
        public void run() {
            try {
                while (!ends) {
                    got += tell(consumer.poll(50), reader);
                    mine = consumer.assignment().stream().map(TopicPartition::partition).sorted().toList();
                }
                consumer.commitSync();
            } catch (RuntimeException e) {
                say("error", "error", e.toString());
            }
        }

        void leave() {
            say("member", "member", number, "partitions", mine);
            consumer.close();
        }
    }

    private static int tell(ConsumerRecords<byte[], byte[]> polled, int reader) {
        for (ConsumerRecord<byte[], byte[]> each : polled) {
            say("consumed", "reader", reader, "partition", each.partition(), "offset", each.offset(),
                "key", text(each.key()), "value", text(each.value()));
        }
        return polled.count();
    }

    private static String version() throws IOException {
        var found = new Properties();
        try (var file = KafkaProducer.class.getResourceAsStream("/kafka/kafka-version.properties")) {
            found.load(file);
        }
        return found.getProperty("version");
    }

    private static synchronized void say(String event, Object... more) {
        var all = new LinkedHashMap<String, Object>(Map.of("event", event));
        for (var n = 0; n < more.length; n += 2) all.put((String) more[n], more[n + 1]);
        System.out.println(Json.written(all));
        System.out.flush();
    }

    private static byte[] raw(Object hexadecimal) {
        return hexadecimal == null ? null : HexFormat.of().parseHex((String) hexadecimal);
    }

    private static String text(byte[] data) {
        return data == null ? null : HexFormat.of().formatHex(data);
    }

    private static int number(Object value) {
        return ((Long) value).intValue();
    }

    private static boolean flag(Map<String, Object> step, String name) {
        return Boolean.TRUE.equals(step.get(name));
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> object(Object value) {
        return (Map<String, Object>) value;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> list(Object value) {
        return (List<Object>) value;
    }

    private static List<Map<String, Object>> objects(Object value) {
        return list(value).stream().map(Driver::object).toList();
    }
}

/** JSON: objects are maps, arrays lists, numbers longs. It does not validate its input. */
class Json {
    private final String text;
    private int at = 0;

    private Json(String text) {
        this.text = text;
    }

    static Object read(String text) {
        return new Json(text).value();
    }

    static String written(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                .map(each -> written(each.getKey()) + ": " + written(each.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Json::written).collect(Collectors.joining(", ", "[", "]"));
        }
        return value instanceof String string ? quoted(string) : String.valueOf(value);
    }

    private static String quoted(String string) {
        return string.chars()
            .mapToObj(c -> c < ' ' || c > '~' || c == '"' || c == '\\' ? String.format("\\u%04x", c) : "" + (char) c)
            .collect(Collectors.joining("", "\"", "\""));
    }

    private Object value() {
        return switch (next()) {
            case '{' -> map();
            case '[' -> list();
            case '"' -> string();
            default -> word();
        };
    }

    private char next() {
        while (Character.isWhitespace(text.charAt(at))) at++;
        return text.charAt(at);
    }

    private boolean passes(char sign) {
        if (next() != sign) return false;
        at++;
        return true;
    }

    private Map<String, Object> map() {
        var found = new LinkedHashMap<String, Object>();
        for (at++; !passes('}'); passes(',')) {
            next();
            var name = string();
            passes(':');
            found.put(name, value());
        }
        return found;
    }

    private List<Object> list() {
        var found = new ArrayList<>();
        for (at++; !passes(']'); passes(',')) found.add(value());
        return found;
    }

    private String string() {
        var found = new StringBuilder();
        for (at++; text.charAt(at) != '"'; at++) {
            found.append(text.charAt(at) == '\\' ? escaped() : text.charAt(at));
        }
        at++;
        return found.toString();
    }

    private char escaped() {
        var sign = text.charAt(++at);
        if (sign == 'u') {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 3, at + 1), 16);
        }
        var known = "bfnrt".indexOf(sign);
        return known < 0 ? sign : "\b\f\n\r\t".charAt(known);
    }

    private Object word() {
        var start = at;
        while (at < text.length() && ",]} \t".indexOf(text.charAt(at)) < 0) at++;
        var word = text.substring(start, at);
        if (word.equals("null")) return null;
        return word.equals("true") || word.equals("false") ? (Object) word.equals("true") : (Object) Long.valueOf(word);
    }
}
