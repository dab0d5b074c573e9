package shop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.List;

/** A broker that runs until the tests are over, started by {@code python -m fakekafka serve}. */
final class FakeKafka {
    final String servers;

    FakeKafka(String release, String... options) throws IOException {
        List<String> command = new ArrayList<>(
            List.of("python", "-m", "fakekafka", "serve", "--release", release, "--port", "0"));
        command.addAll(List.of(options));
        Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy)); // after Spring has closed its clients
        BufferedReader out = new BufferedReader(new InputStreamReader(process.getInputStream()));
        servers = out.readLine().split(" ")[0]; // "127.0.0.1:40001 is Kafka 3.9; ..."
    }
}
