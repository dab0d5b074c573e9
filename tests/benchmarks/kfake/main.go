// kfake as a process: `kfake [-pem FILE] topic …`, each topic with 4 partitions. With a file that has its key and
// certificate it listens with TLS. It prints its address, and ends when its stdin ends.
package main

import (
	"crypto/tls"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/twmb/franz-go/pkg/kfake"
)

const partitions = 4

func main() {
	pem := flag.String("pem", "", "a file with a key and its certificate")
	flag.Parse()
	options := []kfake.Opt{kfake.NumBrokers(1), kfake.SeedTopics(partitions, flag.Args()...)}
	if *pem != "" {
		pair, err := tls.LoadX509KeyPair(*pem, *pem)
		check(err)
		options = append(options, kfake.TLS(&tls.Config{Certificates: []tls.Certificate{pair}}))
	}
	cluster, err := kfake.NewCluster(options...)
	check(err)
	defer cluster.Close()
	fmt.Println(strings.Join(cluster.ListenAddrs(), ","))
	io.Copy(io.Discard, os.Stdin)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
