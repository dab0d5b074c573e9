package shop

import (
	"context"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"
)

func TestAnOrderReachesAConsumer(t *testing.T) {
	for _, release := range []string{"0.10.2", "2.3", "3.9"} {
		t.Run(release, func(t *testing.T) {
			servers := fakeKafka(t, release, "--topic", "orders:1")
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
			defer cancel()

			writer := &kafka.Writer{Addr: kafka.TCP(servers), Topic: "orders", BatchTimeout: time.Millisecond}
			if err := writer.WriteMessages(ctx, kafka.Message{Value: []byte("apples")}); err != nil {
				t.Fatal(err)
			}
			if err := writer.Close(); err != nil {
				t.Fatal(err)
			}

			reader := kafka.NewReader(kafka.ReaderConfig{
				Brokers: []string{servers}, GroupID: "shipping", Topic: "orders", StartOffset: kafka.FirstOffset,
				MaxWait: 250 * time.Millisecond, // closing waits for the last fetch
			})
			message, err := reader.ReadMessage(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if string(message.Value) != "apples" {
				t.Fatalf("read %q", message.Value)
			}
			if err := reader.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}
