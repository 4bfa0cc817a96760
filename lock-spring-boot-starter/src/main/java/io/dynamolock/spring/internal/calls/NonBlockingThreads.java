package io.dynamolock.spring.internal.calls;

import io.dynamolock.internal.text.SafeText;
import io.dynamolock.internal.threads.RegistryThread;
import io.dynamolock.spring.internal.Libraries;
import io.dynamolock.spring.internal.declarations.LockedMethod;
import reactor.core.scheduler.Schedulers;

/** Keeps waits for locks off threads that must not block. */
final class NonBlockingThreads {

    private NonBlockingThreads() {}

    /** Whether the current thread belongs to a registry, or is marked as non-blocking by Reactor. */
    static boolean isCurrent() {
        return isOfRegistry() || Libraries.REACTOR && Schedulers.isInNonBlockingThread();
    }

    private static boolean isOfRegistry() {
        return Thread.currentThread() instanceof RegistryThread;
    }

    /** @throws IllegalStateException if the current thread must not block */
    static void refuse(LockedMethod method) {
        if (isCurrent()) {
            throw new IllegalStateException("@DynamoLocked on " + method.description()
                    + ": the call would wait for its lock, and the thread "
                    + SafeText.clean(Thread.currentThread().getName())
                    + " must not block. "
                    + (isOfRegistry()
                            ? "Let the method return a CompletableFuture or a Mono, or go on on a thread of yours before the"
                                    + " call: thenApplyAsync(..., executor), publishOn(Schedulers.boundedElastic())."
                            : "Let the method return a Mono or a Flux, or call it where blocking is allowed:"
                                    + " Mono.fromCallable(...).subscribeOn(Schedulers.boundedElastic())."));
        }
    }
}
