// Drives Kafka's Java client, 2.2 and later: reads a task and its steps from stdin and prints what happened, see
// compat/README.md.
//
// Needs the client and a JDK. The client's own log goes to stderr. The JSON reader is at the end.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
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
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

class Driver {
    private static final long PATIENCE_MS = 60_000;
    /** How long to listen for records that should not come. */
    private static final Duration SETTLED = Duration.ofMillis(200);
    private static final Duration TURN = Duration.ofMillis(50);

    private final String topic;
    private final int partitions;
    private final String codec;
    private final boolean idempotent;
    private final Map<String, Object> settings = new HashMap<>();
    private final Map<Integer, KafkaConsumer<byte[], byte[]>> readers = new HashMap<>();
    private KafkaProducer<byte[], byte[]> kept;

    Driver(Map<String, Object> task) {
        topic = (String) task.get("topic");
        partitions = number(task.get("partitions"));
        codec = (String) task.get("codec");
        idempotent = (Boolean) task.get("idempotent");
        settings.putAll(object(task.get("settings")));
        settings.put("reconnect.backoff.max.ms", 200);
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

    private void step(Map<String, Object> step) {
        var what = (String) step.get("do");
        switch (what) {
            case "produce" -> produce(step);
            case "read" -> read(step);
            case "seek" -> seek(step);
            case "group" -> group(step);
            case "transactions" -> transactions(step);
            default -> say("unable", "what", what);
        }
    }

    private void close() {
        readers.values().forEach(KafkaConsumer::close);
        if (kept != null) kept.close();
    }

    private KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
        var all = new HashMap<>(settings);
        all.putAll(Map.of("acks", "all", "compression.type", codec, "linger.ms", 5));
        all.putAll(more);
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
            var timestamp = (Long) each.get("timestamp");
            var record = new ProducerRecord<>(topic, partition, timestamp, raw(each.get("key")), raw(each.get("value")));
            for (var header : list(each.get("headers"))) {
                record.headers().add((String) list(header).get(0), raw(list(header).get(1)));
            }
            producer.send(record, (done, e) -> {
                if (e != null) say("refused", "uid", uid, "error", e.toString());
                else say("acked", "uid", uid, "partition", done.partition(), "offset", done.offset());
            });
        }
        producer.flush();
    }

    private void produce(Map<String, Object> step) {
        var keep = flag(step, "keep");
        var producer = keep && kept != null ? kept : producer(limits(step));
        if (keep) kept = producer;
        sendAll(producer, objects(step.get("records")));
        if (!keep) producer.close();
    }

    private Map<String, Object> limits(Map<String, Object> step) {
        var found = new HashMap<String, Object>();
        var own = (Boolean) step.get("idempotent");
        found.put("enable.idempotence", own == null ? idempotent : own);
        if (step.get("max_bytes") != null) found.put("max.request.size", number(step.get("max_bytes")));
        return found;
    }

    private void transactions(Map<String, Object> step) {
        try (var producer = producer(Map.of("transactional.id", step.get("transactional_id")))) {
            producer.initTransactions();
            for (var each : objects(step.get("transactions"))) {
                producer.beginTransaction();
                sendAll(producer, objects(each.get("records")));
                if (each.get("end").equals("commit")) producer.commitTransaction();
                else producer.abortTransaction();
                say("ended", "how", each.get("end"));
            }
        }
    }

    private void read(Map<String, Object> step) {
        var reader = number(step.get("reader"));
        var level = flag(step, "committed_only") ? "read_committed" : "read_uncommitted";
        var consumer = readers.computeIfAbsent(reader, n -> assigned(Map.of("isolation.level", level)));
        tellAll(consumer, reader, number(step.get("count")));
        if (!flag(step, "keep")) readers.remove(reader).close();
    }

    private void seek(Map<String, Object> step) {
        try (var consumer = assigned(Map.of())) {
            var wanted = new HashMap<TopicPartition, Long>();
            consumer.assignment().forEach(at -> wanted.put(at, (Long) step.get("timestamp")));
            consumer.offsetsForTimes(wanted).forEach((at, found) -> seekTo(consumer, at, found));
            tellAll(consumer, number(step.get("reader")), number(step.get("count")));
        }
    }

    private static void seekTo(KafkaConsumer<byte[], byte[]> consumer, TopicPartition at, OffsetAndTimestamp found) {
        say("sought", "partition", at.partition(), "offset", found == null ? null : found.offset());
        if (found == null) consumer.seekToEnd(List.of(at));
        else consumer.seek(at, found.offset());
    }

    private KafkaConsumer<byte[], byte[]> assigned(Map<String, Object> more) {
        var consumer = consumer(more);
        consumer.assign(IntStream.range(0, partitions).mapToObj(p -> new TopicPartition(topic, p)).toList());
        return consumer;
    }

    /** All members have partitions before the records are produced, so that no member reads what another has read. */
    private void group(Map<String, Object> step) {
        var reader = number(step.get("reader"));
        var records = objects(step.get("records"));
        var members = number(step.get("members"));
        var how = Map.of("group.id", step.get("group"), "heartbeat.interval.ms", 300, "session.timeout.ms", 10_000);
        var consumers = Stream.generate(() -> consumer(how)).limit(members).toList();
        consumers.forEach(consumer -> consumer.subscribe(List.of(topic)));
        var share = (partitions + members - 1) / members;
        var until = System.currentTimeMillis() + PATIENCE_MS;
        var got = 0;
        while (!consumers.stream().allMatch(c -> isShare(c, share)) && System.currentTimeMillis() < until) {
            got += tellTurn(consumers, reader);
        }
        produce(Map.<String, Object>of("records", records));
        while (got < records.size() && System.currentTimeMillis() < until) got += tellTurn(consumers, reader);
        for (var n = 0; n < members; n++) {
            var mine = consumers.get(n).assignment().stream().map(TopicPartition::partition).sorted().toList();
            consumers.get(n).commitSync();
            say("member", "member", n, "partitions", mine);
        }
        consumers.forEach(KafkaConsumer::close);
    }

    private static boolean isShare(KafkaConsumer<byte[], byte[]> consumer, int share) {
        return !consumer.assignment().isEmpty() && consumer.assignment().size() <= share;
    }

    private static int tellTurn(List<KafkaConsumer<byte[], byte[]>> consumers, int reader) {
        return consumers.stream().mapToInt(consumer -> tell(consumer.poll(TURN), reader)).sum();
    }

    private static void tellAll(KafkaConsumer<byte[], byte[]> consumer, int reader, int count) {
        var until = System.currentTimeMillis() + PATIENCE_MS;
        var got = 0;
        while (got < count && System.currentTimeMillis() < until) got += tell(consumer.poll(SETTLED), reader);
        tell(consumer.poll(SETTLED), reader);
    }

    private static int tell(ConsumerRecords<byte[], byte[]> polled, int reader) {
        for (ConsumerRecord<byte[], byte[]> each : polled) {
            var headers = new ArrayList<List<Object>>();
            for (Header header : each.headers()) headers.add(Arrays.asList(header.key(), text(header.value())));
            say("consumed", "reader", reader, "partition", each.partition(), "offset", each.offset(),
                "key", text(each.key()), "value", text(each.value()), "headers", headers,
                "timestamp", each.timestamp(), "timestamp_type", each.timestampType().id);
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
