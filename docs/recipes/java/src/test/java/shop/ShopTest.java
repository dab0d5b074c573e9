package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

@SpringBootTest(properties = {
    "spring.kafka.streams.application-id=counting",
    "spring.kafka.streams.properties.commit.interval.ms=50",
    "spring.kafka.streams.cleanup.on-startup=true",
    "logging.level.root=warn",
    "spring.kafka.consumer.auto-offset-reset=earliest",
})
@DirtiesContext
class ShopTest {
    @DynamicPropertySource
    static void address(DynamicPropertyRegistry registry) throws IOException {
        FakeKafka kafka = new FakeKafka("3.9", "--topic", "orders:1", "--topic", "counts:1");
        registry.add("spring.kafka.bootstrap-servers", () -> kafka.servers);
    }

    @Autowired
    private KafkaTemplate<String, String> template;

    @Autowired
    private Shop shop;

    @Test
    void ordersAreCounted() throws Exception {
        template.send("orders", "ann", "apples").get(30, TimeUnit.SECONDS);
        assertEquals("1", shop.counts.poll(60, TimeUnit.SECONDS));
        template.send("orders", "ann", "pears").get(30, TimeUnit.SECONDS);
        assertEquals("2", shop.counts.poll(60, TimeUnit.SECONDS));
    }
}
