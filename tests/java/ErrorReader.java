import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.common.message.ApiMessageType;
import org.apache.kafka.common.protocol.ApiMessage;
import org.apache.kafka.common.protocol.ByteBufferAccessor;

/**
 * Decodes the bodies of answers with the classes that Kafka's own clients use.
 *
 * A line on standard input, "KEY VERSION HEX", is answered by "read", how many bytes are left over, and the error codes
 * other than 0, with commas between them ("-" for none); or by "unknown" if this client has no such version.
 */
public class ErrorReader {
    private static final Pattern CODE = Pattern.compile("[eE]rrorCode=(-?\\d+)");

    public static void main(String[] arguments) throws Exception {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        String line;
        while ((line = lines.readLine()) != null) {
            String[] words = line.split(" ");
            System.out.println(read(Short.parseShort(words[0]), Short.parseShort(words[1]), words[2]));
        }
    }

    private static String read(short key, short version, String hex) {
        ApiMessage message;
        try {
            message = ApiMessageType.fromApiKey(key).newResponse();
        } catch (RuntimeException notKnown) {
            return "unknown";
        }
        if (version < message.lowestSupportedVersion() || version > message.highestSupportedVersion()) {
            return "unknown";
        }
        ByteBuffer buffer = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
        message.read(new ByteBufferAccessor(buffer), version);
        TreeSet<String> codes = new TreeSet<>();
        Matcher found = CODE.matcher(message.toString());
        while (found.find()) {
            if (!found.group(1).equals("0")) {
                codes.add(found.group(1));
            }
        }
        return "read " + buffer.remaining() + " " + (codes.isEmpty() ? "-" : String.join(",", codes));
    }
}
