package shop

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// fakeKafka starts a broker for one test and returns its address.
func fakeKafka(t *testing.T, release string, options ...string) string {
	t.Helper()
	serve := append([]string{"-m", "fakekafka", "serve", "--release", release, "--port", "0"}, options...)
	command := exec.Command("python", serve...)
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Signal(os.Interrupt)
		_ = command.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n') // "127.0.0.1:40001 is Kafka 3.9; ..."
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(line)[0]
}
