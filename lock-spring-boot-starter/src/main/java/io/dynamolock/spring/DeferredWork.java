package io.dynamolock.spring;

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import kotlin.Unit;
import kotlinx.coroutines.Deferred;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.SignalType;

/**
 * A method that returns Kotlin's {@code Deferred}, whose coroutine is cancelled with its caller's and may be at work for a while then.
 * Not to be touched without Kotlin's coroutines.
 */
final class DeferredWork implements StreamWork<Object> {

    private final LockedCall call;

    /** By the beginning, or by a cancel that comes before it. */
    private final AtomicBoolean decided = new AtomicBoolean();

    /** Null if the method failed. */
    private final CompletableFuture<@Nullable Deferred<?>> begun = new CompletableFuture<>();

    DeferredWork(LockedCall call) {
        this.call = call;
    }

    static boolean isDeclared(Class<?> type) {
        return type == Deferred.class;
    }

    @Override
    public Publisher<Object> begin(MethodBody body) {
        if (!decided.compareAndSet(false, true)) {
            return Flux.empty();
        }
        Deferred<?> deferred = null;
        try {
            deferred = (Deferred<?>) StreamCall.run(body);
        } finally {
            begun.complete(deferred);
        }
        if (deferred == null) {
            throw new IllegalStateException(
                    "@DynamoLocked on " + call.method().description() + ": it returned null instead of a Deferred.");
        }
        Deferred<?> result = deferred;
        // What Spring makes of it only stops to wait for it, and must do so first: that the coroutine was cancelled is
        // not its answer.
        return Flux.<Object>from(StreamTypes.adapter(Deferred.class).toPublisher(result))
                .doFinally(signal -> {
                    if (signal == SignalType.CANCEL) {
                        result.cancel((CancellationException) null);
                    }
                });
    }

    @Override
    public void whenCancelled(Runnable leaving) {
        if (decided.compareAndSet(false, true)) {
            leaving.run();
            return;
        }
        begun.thenAccept(deferred -> {
            if (deferred == null) {
                leaving.run();
            } else {
                deferred.invokeOnCompletion(cause -> {
                    leaving.run();
                    return Unit.INSTANCE;
                });
            }
        });
    }
}
