package io.dynamolock.internal;

import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRequest;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Function;

/** The elections in which one registry takes part. Thread-safe. */
final class Elections {

    private final Set<Candidacy> open = ConcurrentHashMap.newKeySet();
    private final Function<LockRequest, CompletableFuture<LockHandle>> locks;
    private final Executor callbacks;
    private final Pauses pauses;

    Elections(Function<LockRequest, CompletableFuture<LockHandle>> locks, Executor callbacks, Pauses pauses) {
        this.locks = locks;
        this.callbacks = callbacks;
        this.pauses = pauses;
    }

    LeaderElection begin(LockRequest request, LeaderListener listener) {
        Candidacy candidacy = new Candidacy(request, listener, locks, callbacks, pauses);
        open.add(candidacy);
        candidacy.ended().thenRun(() -> open.remove(candidacy));
        candidacy.start();
        return candidacy;
    }

    /** Has all leaders resign, and nobody stand again; completes when they were told but those that this very thread tells. */
    CompletableFuture<Void> pause() {
        return allOf(Candidacy::pause);
    }

    void resume() {
        open.forEach(Candidacy::resume);
    }

    /** Ends all; completes when all have ended but those that this very thread is in a callback of. */
    CompletableFuture<Void> close() {
        return allOf(Candidacy::closeAsync);
    }

    private CompletableFuture<Void> allOf(Function<Candidacy, CompletableFuture<Void>> end) {
        return CompletableFuture.allOf(open.stream()
                .map(candidacy -> {
                    CompletableFuture<Void> ended = end.apply(candidacy);
                    return candidacy.isInCallback() ? CompletableFuture.allOf() : ended;
                })
                .toArray(CompletableFuture<?>[]::new));
    }
}
