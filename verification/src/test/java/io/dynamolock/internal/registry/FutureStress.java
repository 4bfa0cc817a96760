package io.dynamolock.internal.registry;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRequest;
import io.dynamolock.concurrency.Race;
import io.dynamolock.concurrency.StressCase;
import io.dynamolock.internal.engine.Moments;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** Futures that are completed from two sides. */
public final class FutureStress {

    private static final class GrantAndCancel extends Race<Void> {

        private final KeyInPlay key = new KeyInPlay();
        private volatile CompletableFuture<LockHandle> future;

        void play() {
            between(() -> future = key.registry.acquireAsync(LockRequest.of(key.key)), this::cancel, this::story);
        }

        private void cancel() {
            while (future == null) {
                Thread.yield();
            }
            Moments.pass();
            future.cancel(true);
        }

        private String story() {
            if (future.isCancelled()) {
                return "cancelled; " + key.free();
            }
            LockHandle handle = future.join();
            String outcome = handle.isValid() ? "granted; " : "granted and lost; ";
            handle.release();
            return outcome + key.free();
        }
    }

    private FutureStress() {}

    public static Stream<StressCase> cases() {
        return Stream.of(
                StressCase.of(
                        "grant and cancel",
                        GrantAndCancel::new,
                        GrantAndCancel::play,
                        "cancelled; free",
                        "granted; free"),
                // The future always completes, and never with a grant while another caller holds the lock.
                StressCase.of(
                        "cancel and close",
                        RegistryInPlay<Void>::new,
                        play -> {
                            LockHandle holder = play.hold();
                            CompletableFuture<LockHandle> future = play.acquireAsync();
                            play.between(
                                    () -> {
                                        Moments.pass();
                                        future.cancel(true);
                                    },
                                    play.registry::close,
                                    () -> {
                                        if (!Moments.await(future::isDone) || holder.isValid()) {
                                            return "open";
                                        }
                                        return future.isCancelled() ? "cancelled" : RegistryInPlay.name(future);
                                    });
                        },
                        "LockClosedException",
                        "cancelled"));
    }
}
