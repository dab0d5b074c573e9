import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import kafka.server.KafkaConfig;

/** For each line of properties, "name=value" with tabs between them, prints what Kafka itself says when it starts: nothing, or why it does not start. */
public class Judge {
    public static void main(String[] arguments) throws Exception {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            out.println(judged(line).replace('\n', ' '));
        }
    }

    private static String judged(String line) {
        Properties properties = new Properties();
        for (String pair : line.split("\t")) {
            int at = pair.indexOf('=');
            properties.setProperty(pair.substring(0, at), pair.substring(at + 1));
        }
        try {
            KafkaConfig.fromProps(properties);
            return "";
        } catch (RuntimeException e) {
            return String.valueOf(e.getMessage());
        }
    }
}
