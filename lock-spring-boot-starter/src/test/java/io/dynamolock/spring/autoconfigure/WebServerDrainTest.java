package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.spring.internal.registry.LockRegistryLifecycle;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** A real web server, stopped while a request holds a lock. */
class WebServerDrainTest {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(excludeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
    static class Application {

        @Bean
        SlowController controller(LockRegistry locks) {
            return new SlowController(locks);
        }
    }

    @RestController
    static class SlowController {

        private final LockRegistry locks;
        final CountDownLatch entered = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        volatile LockHandle held;

        SlowController(LockRegistry locks) {
            this.locks = locks;
        }

        @GetMapping("/slow")
        String slow() throws InterruptedException {
            try (LockHandle handle = locks.acquire("k", Duration.ofSeconds(10))) {
                held = handle;
                entered.countDown();
                goOn.await(1, TimeUnit.MINUTES);
                return "held to the end: " + handle.isValid();
            }
        }
    }

    @Test
    void requestsUnderWayKeepTheirLocksUntilTheyEnd() throws Exception {
        ConfigurableApplicationContext context = SpringApplication.run(
                Application.class, "--server.port=0", "--dynamolock.store=memory", "--server.shutdown=graceful");
        int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        SlowController controller = context.getBean(SlowController.class);
        LockRegistry locks = context.getBean(LockRegistry.class);
        CompletableFuture<HttpResponse<String>> answer = HttpClient.newHttpClient()
                .sendAsync(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/slow"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
        assertThat(controller.entered.await(30, TimeUnit.SECONDS)).isTrue();

        CompletableFuture<Void> closing = CompletableFuture.runAsync(context::close);
        Awaitility.await().until(() -> !acceptsRequests(port));
        assertThat(controller.held.isValid()).isTrue();
        controller.goOn.countDown();

        assertThat(answer.get(30, TimeUnit.SECONDS).body()).isEqualTo("held to the end: true");
        closing.get(30, TimeUnit.SECONDS);
        assertThat(locks.admin().held()).isEmpty();
        assertThat(org.assertj.core.api.Assertions.catchThrowable(() -> locks.tryAcquire("k")))
                .isInstanceOf(io.dynamolock.LockClosedException.class);
    }

    private static boolean acceptsRequests(int port) {
        try (java.net.Socket socket = new java.net.Socket("localhost", port)) {
            return socket.isConnected();
        } catch (java.io.IOException e) {
            return false;
        }
    }

    @Test
    void stopsAfterTheWebServerAndEveryExecutor() {
        assertThat(LockRegistryLifecycle.PHASE)
                .isLessThan(WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE)
                .isLessThan(org.springframework.scheduling.concurrent.ExecutorConfigurationSupport.DEFAULT_PHASE)
                .isLessThan(0);
    }
}
