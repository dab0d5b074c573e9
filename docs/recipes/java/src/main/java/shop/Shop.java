package shop;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Produced;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.kafka.annotation.EnableKafkaStreams;
import org.springframework.kafka.annotation.KafkaListener;

/** Orders come in, a stream counts them by customer, a listener takes the counts. */
@SpringBootApplication
@EnableKafkaStreams
public class Shop {
    final BlockingQueue<String> counts = new LinkedBlockingQueue<>();

    @Bean
    KStream<String, Long> counting(StreamsBuilder builder) {
        KStream<String, Long> counted = builder
            .stream("orders", Consumed.with(Serdes.String(), Serdes.String()))
            .groupByKey()
            .count()
            .toStream();
        counted.mapValues(String::valueOf).to("counts", Produced.with(Serdes.String(), Serdes.String()));
        return counted;
    }

    @KafkaListener(topics = "counts", groupId = "shipping")
    void counted(String count) {
        counts.add(count);
    }
}
