import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Reads the topic "in" as the group "g", processes, and writes to "out" in transactions. The fate of a transaction is
 * read from standard input, so that a checker can inspect the broker before and after:
 *
 * "written VALUE ..." is printed when everything but the end of a transaction is done. Then one line is read:
 * "commit", "abort", "crash" (a new producer, while the old one does nothing more) or "replace" (a new producer, after
 * which the old one tries to commit, and must be fenced). "done" is printed. The program runs until it is killed.
 */
public class ExactlyOnce {
    private final String servers;
    /** Offsets are committed as a member of the group (KIP-447), and not only in the group's name. */
    private final boolean asMember;
    private final KafkaConsumer<String, String> consumer;
    private KafkaProducer<String, String> producer;

    ExactlyOnce(String servers, int count, boolean asMember) {
        this.servers = servers;
        this.asMember = asMember;
        writeInputs(count);
        consumer = new KafkaConsumer<>(Map.of(
            "bootstrap.servers", servers, "group.id", "g", "isolation.level", "read_committed", "max.poll.records", 3,
            "auto.offset.reset", "earliest", "enable.auto.commit", false, "heartbeat.interval.ms", 200),
            new StringDeserializer(), new StringDeserializer());
        consumer.subscribe(List.of("in"));
        producer = newProducer();
    }

    public static void main(String[] arguments) throws Exception {
        int count = Integer.parseInt(arguments[1]);
        ExactlyOnce program = new ExactlyOnce(arguments[0], count, Boolean.parseBoolean(arguments[2]));
        program.run(new BufferedReader(new InputStreamReader(System.in)));
    }

    private void run(BufferedReader commands) throws Exception {
        while (true) {
            ConsumerRecords<String, String> records = consumer.poll(Duration.ofMillis(100));
            if (!records.isEmpty()) {
                process(records);
                end(commands.readLine());
                System.out.println("done");
            }
        }
    }

    /** One transaction that is aborted, and one that is committed: readers of committed data see only the latter. */
    private void writeInputs(int count) {
        try (KafkaProducer<String, String> inputs = newProducer()) {
            for (String prefix : List.of("never", "v")) {
                inputs.beginTransaction();
                for (int n = 0; n < count; n++) {
                    inputs.send(new ProducerRecord<>("in", n % 2, null, prefix + n));
                }
                inputs.flush();
                if (prefix.equals("v")) {
                    inputs.commitTransaction();
                } else {
                    inputs.abortTransaction();
                }
            }
        }
    }

    private void process(ConsumerRecords<String, String> records) {
        List<String> written = new ArrayList<>();
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        producer.beginTransaction();
        for (ConsumerRecord<String, String> record : records) {
            written.add(record.value().toUpperCase());
            producer.send(new ProducerRecord<>("out", record.partition(), null, record.value().toUpperCase()));
            offsets.put(new TopicPartition("in", record.partition()), new OffsetAndMetadata(record.offset() + 1));
        }
        ConsumerGroupMetadata group = asMember ? consumer.groupMetadata() : new ConsumerGroupMetadata("g");
        producer.sendOffsetsToTransaction(offsets, group);
        producer.flush();
        System.out.println("written " + String.join(" ", written));
    }

    private void end(String command) {
        switch (command) {
            case "commit" -> producer.commitTransaction();
            case "abort" -> producer.abortTransaction();
            case "crash" -> {
                producer.close(Duration.ZERO);
                producer = newProducer();
            }
            case "replace" -> replace();
            default -> throw new IllegalArgumentException(command);
        }
        if (!command.equals("commit")) {
            rewind();
        }
    }

    private void replace() {
        KafkaProducer<String, String> old = producer;
        producer = newProducer();
        try {
            old.commitTransaction();
            throw new IllegalStateException("a producer that was replaced has committed");
        } catch (ProducerFencedException | InvalidProducerEpochException fenced) {
            old.close(Duration.ZERO);
        }
    }

    private void rewind() {
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(consumer.assignment());
        for (TopicPartition partition : consumer.assignment()) {
            OffsetAndMetadata offset = committed.get(partition);
            if (offset == null) {
                consumer.seekToBeginning(List.of(partition));
            } else {
                consumer.seek(partition, offset);
            }
        }
    }

    private KafkaProducer<String, String> newProducer() {
        KafkaProducer<String, String> made = new KafkaProducer<>(
            Map.of("bootstrap.servers", servers, "transactional.id", "a", "linger.ms", 0),
            new StringSerializer(), new StringSerializer());
        made.initTransactions();
        return made;
    }
}
