import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.FeatureUpdate;
import org.apache.kafka.clients.admin.UpdateFeaturesOptions;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * A member of the share group "g" that reads the topic "in" and does what it is told on standard input, a line each:
 *
 * "poll" prints "records" and OFFSET:VALUE:DELIVERIES of each; "acknowledge TYPE OFFSET ..." is about records of the
 * last poll; "commit" prints "committed" or the error; "close" ends the member.
 *
 * Arguments: servers, "implicit" or "explicit". With "setup" instead, share groups are switched on and the group gets
 * the configs that follow (NAME=VALUE); "ready" is printed.
 */
public class ShareMember {
    private final KafkaShareConsumer<String, String> consumer;
    private final Map<Long, ConsumerRecord<String, String>> polled = new LinkedHashMap<>();

    ShareMember(String servers, String mode) {
        consumer = new KafkaShareConsumer<>(
            Map.of("bootstrap.servers", servers, "group.id", "g", "share.acknowledgement.mode", mode),
            new StringDeserializer(), new StringDeserializer());
        consumer.subscribe(List.of("in"));
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments[1].equals("setup")) {
            setUp(arguments[0], List.of(arguments).subList(2, arguments.length));
            System.out.println("ready");
            return;
        }
        ShareMember member = new ShareMember(arguments[0], arguments[1]);
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in));
        String command;
        while ((command = commands.readLine()) != null) {
            System.out.println(member.answer(command.split(" ")));
        }
    }

    private static void setUp(String servers, List<String> configs) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
            FeatureUpdate on = new FeatureUpdate((short) 1, FeatureUpdate.UpgradeType.UPGRADE);
            admin.updateFeatures(Map.of("share.version", on), new UpdateFeaturesOptions()).all().get();
            List<AlterConfigOp> changes = new ArrayList<>();
            for (String config : configs) {
                String[] parts = config.split("=");
                changes.add(new AlterConfigOp(new ConfigEntry(parts[0], parts[1]), AlterConfigOp.OpType.SET));
            }
            ConfigResource group = new ConfigResource(ConfigResource.Type.GROUP, "g");
            admin.incrementalAlterConfigs(Map.of(group, changes)).all().get();
        }
    }

    private String answer(String[] command) {
        switch (command[0]) {
            case "poll":
                return poll();
            case "acknowledge":
                for (int n = 2; n < command.length; n++) {
                    AcknowledgeType type = AcknowledgeType.valueOf(command[1].toUpperCase());
                    consumer.acknowledge(polled.get(Long.parseLong(command[n])), type);
                }
                return "acknowledged";
            case "commit":
                return commit();
            case "close":
                consumer.close();
                return "closed";
            default:
                throw new IllegalArgumentException(command[0]);
        }
    }

    private String poll() {
        StringBuilder found = new StringBuilder("records");
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(500))) {
            polled.put(record.offset(), record);
            found.append(" ").append(record.offset()).append(":").append(record.value());
            found.append(":").append(record.deliveryCount().get());
        }
        return found.toString();
    }

    private String commit() {
        for (Optional<KafkaException> problem : consumer.commitSync().values()) {
            if (problem.isPresent()) {
                return problem.get().getClass().getSimpleName();
            }
        }
        return "committed";
    }
}
