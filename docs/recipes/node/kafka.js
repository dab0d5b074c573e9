import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** Starts a broker for one test. Gives its address, and a function that stops it. */
export async function fakeKafka(release, ...options) {
  const serve = ["-m", "fakekafka", "serve", "--release", release, "--port", "0", ...options];
  const child = spawn("python", serve, { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(createInterface(child.stdout), "line"); // "127.0.0.1:40001 is Kafka 3.9; ..."
  return {
    servers: line.split(" ")[0],
    async stop() {
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
