import java.util.Map;
import java.util.Properties;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.TaskMetadata;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.state.Stores;

/**
 * A member of the streams group "app" (KIP-1071). Its topology is "plain" (words of "in" go to "out" in capitals) or
 * "count" (counts of each word, by way of a repartition topic, go to "out").
 *
 * It obeys standard input: "write WORD ..." sends words to "in"; "close" ends it, and it prints "closed". On each change
 * it prints "state STATE", and on "tasks" it prints "tasks", its active and its standby tasks.
 */
public class StreamsApplication {
    private final Properties config = new Properties();
    private final KafkaStreams streams;

    StreamsApplication(String servers, String kind, String stateDirectory) {
        config.putAll(Map.of(
            "bootstrap.servers", servers, "application.id", "app", "group.protocol", "streams",
            "state.dir", stateDirectory, "statestore.cache.max.bytes", 0, "auto.offset.reset", "earliest",
            "default.key.serde", Serdes.StringSerde.class, "default.value.serde", Serdes.StringSerde.class));
        streams = new KafkaStreams(kind.equals("count") ? counting() : plain(), config);
        streams.setStateListener((now, before) -> System.out.println("state " + now));
    }

    private static Topology plain() {
        StreamsBuilder builder = new StreamsBuilder();
        KStream<String, String> words = builder.stream("in");
        words.mapValues(word -> word.toUpperCase()).to("out");
        return builder.build();
    }

    private static Topology counting() {
        StreamsBuilder builder = new StreamsBuilder();
        KStream<String, String> words = builder.stream("in");
        words.groupBy((key, word) -> word)
            .count(Materialized.as(Stores.inMemoryKeyValueStore("counts")))
            .toStream().map((word, count) -> new KeyValue<>(word, word + "=" + count))
            .to("out");
        return builder.build();
    }

    public static void main(String[] arguments) throws Exception {
        StreamsApplication application = new StreamsApplication(arguments[0], arguments[1], arguments[2]);
        application.streams.start();
        application.obey(new Scanner(System.in), arguments[0]);
    }

    private void obey(Scanner commands, String servers) throws Exception {
        Map<String, Object> producing = Map.of("bootstrap.servers", servers, "linger.ms", 0);
        try (KafkaProducer<String, String> producer =
                 new KafkaProducer<>(producing, new StringSerializer(), new StringSerializer())) {
            while (commands.hasNextLine()) {
                String[] words = commands.nextLine().split(" ");
                switch (words[0]) {
                    case "write" -> write(producer, words);
                    case "tasks" -> System.out.println("tasks " + tasks());
                    case "close" -> {
                        streams.close();
                        System.out.println("closed");
                    }
                    default -> throw new IllegalArgumentException(words[0]);
                }
            }
        }
    }

    private static void write(KafkaProducer<String, String> producer, String[] words) throws Exception {
        for (int n = 1; n < words.length; n++) {
            producer.send(new ProducerRecord<>("in", n % 4, null, words[n])).get(30, TimeUnit.SECONDS);
        }
        System.out.println("written");
    }

    private String tasks() {
        return streams.metadataForLocalThreads().stream()
            .map(thread -> ids(thread.activeTasks()) + "/" + ids(thread.standbyTasks()))
            .collect(Collectors.joining(" "));
    }

    private static String ids(Set<TaskMetadata> tasks) {
        return tasks.stream().map(task -> task.taskId().toString()).sorted().collect(Collectors.joining(","));
    }
}
