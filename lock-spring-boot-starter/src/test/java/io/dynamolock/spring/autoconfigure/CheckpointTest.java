package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.internal.registry.LockRegistryLifecycle;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.Phased;
import org.springframework.context.support.DefaultLifecycleProcessor;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;

/**
 * Around a checkpoint Spring stops all beans, and starts those that ran: so it is with every context that is stopped.
 */
class CheckpointTest {

    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ApplicationContextRunner inMemory = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(DynamoLockAutoConfiguration.class))
            .withPropertyValues("dynamolock.store=memory");

    @Test
    void aCheckpointEndsTheSessionAndANewOneBeginsAfterIt() {
        inMemory.run(context -> {
            LockRegistry locks = context.getBean(LockRegistry.class);
            LockHandle handle = locks.acquire("a", MINUTE);
            String before = locks.admin().session().orElseThrow().id();

            context.stop();

            assertThat(handle.isValid()).isFalse();
            assertThat(locks.admin().session()).isEmpty();
            CompletableFuture<LockHandle> waiting = locks.acquireAsync(LockRequest.of("a"));
            context.start();
            assertThat(waiting.get(1, TimeUnit.MINUTES).isValid()).isTrue();
            assertThat(locks.admin().session().orElseThrow().id()).isNotEqualTo(before);
        });
    }

    /** What Spring calls when the JDK is about to take a checkpoint is not to be called from outside. */
    @Test
    void aCheckpointStopsAndStartsTheLocksAsTheContextDoes() throws Exception {
        var stop = DefaultLifecycleProcessor.class.getDeclaredMethod("stopForRestart");
        var start = DefaultLifecycleProcessor.class.getDeclaredMethod("restartAfterStop");
        stop.setAccessible(true);
        start.setAccessible(true);
        inMemory.run(context -> {
            LockRegistry locks = context.getBean(LockRegistry.class);
            LockHandle handle = locks.acquire("a", MINUTE);
            Object processor = context.getBean(DefaultLifecycleProcessor.class);

            stop.invoke(processor);

            assertThat(handle.isValid()).isFalse();
            assertThat(locks.admin().session()).isEmpty();
            start.invoke(processor);
            assertThat(locks.acquire("a", MINUTE).isValid()).isTrue();
        });
    }

    @Test
    void aContextThatIsOnlyPausedKeepsItsLocks() {
        inMemory.run(context -> {
            LockHandle handle = context.getBean(LockRegistry.class).acquire("a", MINUTE);

            assertThat(context.getBean(LockRegistryLifecycle.class).isPauseable())
                    .isFalse();

            assertThat(handle.isValid()).isTrue();
        });
    }

    @Test
    void closesAfterAStop() {
        LockRegistry[] closed = new LockRegistry[1];
        inMemory.run(context -> {
            closed[0] = context.getBean(LockRegistry.class);
            closed[0].acquire("a", MINUTE);
            context.stop();
        });

        assertThat(closed[0].admin().held()).isEmpty();
        assertThatThrownBy(() -> closed[0].tryAcquire("a")).isInstanceOf(LockClosedException.class);
    }

    @Test
    void noConnectionOfItsOwnClientIsOpenWhileItIsStopped() throws Exception {
        RestartableHttpClient connections = new RestartableHttpClient();
        try (OneAnswerServer server = new OneAnswerServer()) {
            connections.start();
            assertThat(call(connections, server.port())).isEqualTo(200);
            Socket first = server.accepted.get(1, TimeUnit.MINUTES);
            assertThat(connections.isRunning()).isTrue();

            connections.stop();

            assertThat(connections.isRunning()).isFalse();
            first.setSoTimeout(60_000);
            assertThat(isOver(first)).isTrue();
            connections.start();
            assertThat(call(connections, server.port())).isEqualTo(200);
            connections.close();
            assertThat(connections.isRunning()).isFalse();
        }
    }

    @Test
    void theConnectionsCloseAfterTheRegistriesHavePaused() {
        Phased connections = new RestartableHttpClient();

        assertThat(connections.getPhase()).isLessThan(LockRegistryLifecycle.PHASE);
    }

    /** Closed in order, or reset. Waits for the one or the other. */
    private static boolean isOver(Socket connection) throws IOException {
        try {
            return connection.getInputStream().read() == -1;
        } catch (SocketTimeoutException stillOpen) {
            return false;
        } catch (SocketException reset) {
            return true;
        }
    }

    private static int call(SdkHttpClient client, int port) throws IOException {
        SdkHttpRequest request = SdkHttpRequest.builder()
                .method(SdkHttpMethod.GET)
                .protocol("http")
                .host(InetAddress.getLoopbackAddress().getHostAddress())
                .port(port)
                .encodedPath("/")
                .build();
        var answer = client.prepareRequest(
                        HttpExecuteRequest.builder().request(request).build())
                .call();
        if (answer.responseBody().isPresent()) {
            answer.responseBody().get().readAllBytes();
        }
        return answer.httpResponse().statusCode();
    }

    /** Answers the first request of each connection, and keeps it open. */
    private static final class OneAnswerServer implements AutoCloseable {

        private final ServerSocket socket = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
        final CompletableFuture<Socket> accepted = new CompletableFuture<>();

        OneAnswerServer() throws IOException {
            Thread thread = new Thread(this::serve, "one-answer");
            thread.setDaemon(true);
            thread.start();
        }

        int port() {
            return ((InetSocketAddress) socket.getLocalSocketAddress()).getPort();
        }

        private void serve() {
            try {
                while (true) {
                    Socket next = socket.accept();
                    byte[] ignored = new byte[1024];
                    next.getInputStream().read(ignored);
                    OutputStream out = next.getOutputStream();
                    out.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok".getBytes(StandardCharsets.US_ASCII));
                    out.flush();
                    accepted.complete(next);
                }
            } catch (IOException e) {
                accepted.completeExceptionally(e);
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
