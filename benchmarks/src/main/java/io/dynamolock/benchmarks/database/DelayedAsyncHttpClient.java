package io.dynamolock.benchmarks.database;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;

/** Makes an asynchronous client's every call last a round trip longer, without a thread that waits for it. */
final class DelayedAsyncHttpClient implements SdkAsyncHttpClient {

    private final SdkAsyncHttpClient client;
    private final Duration roundTrip;
    private final ScheduledExecutorService timer;

    DelayedAsyncHttpClient(SdkAsyncHttpClient client, Duration roundTrip) {
        this.client = client;
        this.roundTrip = roundTrip;
        this.timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "round-trip");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
        if (roundTrip.isZero()) {
            return client.execute(request);
        }
        CompletableFuture<Void> executed = new CompletableFuture<>();
        timer.schedule(() -> send(request, executed), roundTrip.toNanos(), TimeUnit.NANOSECONDS);
        return executed;
    }

    private void send(AsyncExecuteRequest request, CompletableFuture<Void> executed) {
        if (executed.isDone()) {
            // A timeout has ended the call during the delay: it is as good as lost.
            return;
        }
        CompletableFuture<Void> sent;
        try {
            sent = client.execute(request);
        } catch (RuntimeException e) {
            // An exception on the timer's thread would reach nobody, and the caller would wait for ever.
            executed.completeExceptionally(e);
            return;
        }
        sent.whenComplete((nothing, failure) -> {
            if (failure == null) {
                executed.complete(null);
            } else {
                executed.completeExceptionally(failure);
            }
        });
        executed.whenComplete((nothing, failure) -> {
            if (executed.isCompletedExceptionally()) {
                sent.completeExceptionally(failure);
            }
        });
    }

    @Override
    public String clientName() {
        return client.clientName();
    }

    @Override
    public void close() {
        timer.shutdownNow();
        client.close();
    }
}
