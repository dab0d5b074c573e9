import java.lang.reflect.InvocationTargetException;
import java.time.Duration;
import java.util.Collections;
import java.util.Properties;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;

/**
 * Looks for a place where a user could add a codec to the client. Arguments: servers, alias, topic, and the class of
 * codecs, which is in another package in newer clients.
 */
public class Codecs {
    public static void main(String[] arguments) throws ClassNotFoundException {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", arguments[0]);
        for (String role : new String[] {"key", "value"}) {
            settings.put(role + ".serializer", "org.apache.kafka.common.serialization.ByteArraySerializer");
            settings.put(role + ".deserializer", "org.apache.kafka.common.serialization.ByteArrayDeserializer");
        }
        Class<?> codecs = Class.forName(arguments[3]);
        System.out.println("kinds\t" + codecs.isEnum() + " " + codecs.getEnumConstants().length);
        attempt("name", () -> codecs.getMethod("forName", String.class).invoke(null, arguments[1]));
        attempt("id", () -> codecs.getMethod("forId", int.class).invoke(null, 5));
        Properties ofProducer = new Properties();
        ofProducer.putAll(settings);
        ofProducer.put("compression.type", arguments[1]);
        attempt("producer", () -> new KafkaProducer<byte[], byte[]>(ofProducer).close());
        settings.put("auto.offset.reset", "earliest");
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(settings)) {
            consumer.assign(Collections.singleton(new TopicPartition(arguments[2], 0)));
            attempt("consumer", () -> {
                for (int n = 0; n < 20; n++) {
                    consumer.poll(Duration.ofSeconds(1)).forEach(record -> System.out.println("read"));
                }
            });
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    private static void attempt(String what, Step step) {
        try {
            step.run();
            System.out.println(what + "\tdone");
        } catch (Exception problem) {
            Throwable cause = problem instanceof InvocationTargetException ? problem.getCause() : problem;
            System.out.println(what + "\t" + cause.getClass().getSimpleName() + ": " + cause.getMessage());
        }
    }
}
