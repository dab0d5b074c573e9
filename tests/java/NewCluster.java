import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Writes transactions of one record each into the topic "orders", which does not exist yet, then reads them in a group.
 * After each transaction it prints "committed", and reads a line: "more" or "enough". Values read are printed.
 */
public class NewCluster {
    public static void main(String[] arguments) throws Exception {
        String servers = arguments[0];
        int count = 0;
        try (KafkaProducer<String, String> producer = new KafkaProducer<>(
                Map.of("bootstrap.servers", servers, "transactional.id", "till"),
                new StringSerializer(), new StringSerializer())) {
            producer.initTransactions();
            String command = "more";
            while (command.equals("more")) {
                producer.beginTransaction();
                producer.send(new ProducerRecord<>("orders", Integer.toString(count++)));
                producer.commitTransaction();
                System.out.println("committed");
                command = readLine();
            }
        }
        try (KafkaConsumer<String, String> consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", servers, "group.id", "shop", "auto.offset.reset", "earliest",
                    "isolation.level", "read_committed"),
                new StringDeserializer(), new StringDeserializer())) {
            consumer.subscribe(List.of("orders"));
            for (int read = 0; read < count;) {
                for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
                    System.out.println(record.value());
                    read++;
                }
            }
        }
    }

    private static String readLine() throws Exception {
        StringBuilder line = new StringBuilder();
        for (int c = System.in.read(); c >= 0 && c != '\n'; c = System.in.read()) {
            line.append((char) c);
        }
        return line.toString();
    }
}
