import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * A member of the group "g" that does what it is told on standard input, a line each:
 *
 * "poll" prints "has", its partitions (TOPIC-N, with commas between them; "-" for none) and the values of the records;
 * "commit" prints "committed"; "close" ends the member.
 *
 * Arguments: servers, the subscription ("topics:a,b", "pattern:REGEX" for the client to resolve, or "re2:REGEX" for
 * the broker), and configs (NAME=VALUE).
 */
public class GroupMember {
    public static void main(String[] arguments) throws Exception {
        Map<String, Object> configs = new HashMap<>(Map.of(
            "bootstrap.servers", arguments[0], "group.id", "g", "auto.offset.reset", "earliest",
            "enable.auto.commit", false, "metadata.max.age.ms", 500));
        for (int n = 2; n < arguments.length; n++) {
            String[] parts = arguments[n].split("=", 2);
            configs.put(parts[0], parts[1]);
        }
        KafkaConsumer<String, String> consumer =
            new KafkaConsumer<>(configs, new StringDeserializer(), new StringDeserializer());
        subscribe(consumer, arguments[1].split(":", 2));
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
        String command;
        while ((command = commands.readLine()) != null) {
            switch (command) {
                case "poll" -> System.out.println(poll(consumer));
                case "commit" -> {
                    consumer.commitSync();
                    System.out.println("committed");
                }
                case "close" -> {
                    consumer.close();
                    System.out.println("closed");
                }
                default -> throw new IllegalArgumentException(command);
            }
        }
    }

    /** A pattern for the broker is a class that clients before 4.0 do not have. */
    private static void subscribe(KafkaConsumer<String, String> consumer, String[] wanted) throws Exception {
        switch (wanted[0]) {
            case "topics" -> consumer.subscribe(List.of(wanted[1].split(",")));
            case "pattern" -> consumer.subscribe(Pattern.compile(wanted[1]));
            default -> {
                Class<?> kind = Class.forName("org.apache.kafka.clients.consumer.SubscriptionPattern");
                Object pattern = kind.getConstructor(String.class).newInstance(wanted[1]);
                KafkaConsumer.class.getMethod("subscribe", kind).invoke(consumer, pattern);
            }
        }
    }

    private static String poll(KafkaConsumer<String, String> consumer) {
        StringBuilder values = new StringBuilder();
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(300))) {
            values.append(" ").append(record.value());
        }
        TreeSet<String> has = consumer.assignment().stream().map(TopicPartition::toString)
            .collect(Collectors.toCollection(TreeSet::new));
        return "has " + (has.isEmpty() ? "-" : String.join(",", has)) + values;
    }
}
