package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Locked methods behind a reactive web server. */
class WebFluxApplicationTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    private static ConfigurableApplicationContext context;
    private static WebClient client;

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName = {
                "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
                "org.springframework.boot.tomcat.autoconfigure.reactive.TomcatReactiveWebServerAutoConfiguration"
            })
    @Import({Shop.class, Orders.class})
    static class Application {}

    @Service
    static class Orders {

        private final AtomicInteger inside = new AtomicInteger();
        private final AtomicInteger overlaps = new AtomicInteger();

        /** A method, because the proxy has no fields. */
        public int overlaps() {
            return overlaps.get();
        }

        @DynamoLocked(key = "#customer")
        public Mono<String> place(String customer) {
            return Mono.fromSupplier(this::enter)
                    .publishOn(Schedulers.parallel())
                    .map(order -> {
                        inside.decrementAndGet();
                        return "order of " + customer;
                    });
        }

        private int enter() {
            int now = inside.incrementAndGet();
            if (now > 1) {
                overlaps.incrementAndGet();
            }
            return now;
        }

        @DynamoLocked(key = "#customer")
        public Flux<String> follow(String customer) {
            return Flux.just("first").concatWith(Flux.never());
        }

        @DynamoLocked(key = "#customer")
        public String blocking(String customer) {
            return "never";
        }
    }

    @RestController
    static class Shop {

        private final Orders orders;

        Shop(Orders orders) {
            this.orders = orders;
        }

        @GetMapping("/place/{customer}")
        Mono<String> place(@PathVariable String customer) {
            return orders.place(customer);
        }

        @GetMapping(path = "/follow/{customer}", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> follow(@PathVariable String customer) {
            return orders.follow(customer);
        }

        @GetMapping("/blocking/{customer}")
        Mono<String> blocking(@PathVariable String customer) {
            return Mono.fromSupplier(() -> orders.blocking(customer))
                    .onErrorResume(IllegalStateException.class, refusal -> Mono.just(refusal.getMessage()));
        }
    }

    @BeforeAll
    static void start() {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.REACTIVE);
        context = application.run("--server.port=0", "--dynamolock.store=memory");
        client = WebClient.create(
                "http://localhost:" + context.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    @Test
    void requestsForOneKeyRunOneAfterTheOther() {
        assertThat(Flux.range(0, 200)
                        .flatMap(any -> get("/place/42"), 100)
                        .collectList()
                        .block(LONG))
                .hasSize(200)
                .containsOnly("order of 42");
        assertThat(context.getBean(Orders.class).overlaps()).isZero();
        assertThat(context.getBean(LockRegistry.class).admin().held()).isEmpty();
    }

    @Test
    void aClientThatGoesAwayEndsTheHold() {
        assertThat(client.get()
                        .uri("/follow/42")
                        .retrieve()
                        .bodyToFlux(String.class)
                        .blockFirst(LONG))
                .isEqualTo("first");
        Awaitility.await()
                .atMost(LONG)
                .until(() -> context.getBean(LockRegistry.class).admin().held().isEmpty());
        assertThat(get("/place/42").block(LONG)).isEqualTo("order of 42");
    }

    @Test
    void aBlockingMethodIsRefusedOnTheThreadsOfTheServer() {
        assertThat(get("/blocking/42").block(LONG))
                .contains("@DynamoLocked on Orders.blocking(String)")
                .contains("must not block");
    }

    private static Mono<String> get(String path) {
        return client.get().uri(path).retrieve().bodyToMono(String.class);
    }
}
