package io.dynamolock.spring;

import reactor.core.scheduler.Schedulers;

/** Keeps waits for locks off threads that must not block. Not to be touched without Reactor. */
final class NonBlockingThreads {

    private NonBlockingThreads() {}

    /** @throws IllegalStateException if the current thread is one of them, as Reactor marks them */
    static void refuse(LocksOfMethod method) {
        if (Schedulers.isInNonBlockingThread()) {
            throw new IllegalStateException("@DynamoLocked on " + method.description()
                    + ": the call would wait for its lock, and the thread "
                    + Thread.currentThread().getName()
                    + " must not block. Let the method return a Mono or a Flux, or call it where blocking is allowed:"
                    + " Mono.fromCallable(...).subscribeOn(Schedulers.boundedElastic()).");
        }
    }
}
