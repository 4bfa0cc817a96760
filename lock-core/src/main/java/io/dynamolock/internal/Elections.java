package io.dynamolock.internal;

import io.dynamolock.LeaderElection;
import io.dynamolock.LeaderListener;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRequest;
import java.util.ArrayList;
import java.util.List;
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
        List<CompletableFuture<Void>> told = new ArrayList<>();
        for (Candidacy candidacy : open) {
            CompletableFuture<Void> resigned = candidacy.pause();
            if (!candidacy.isInCallback()) {
                told.add(resigned);
            }
        }
        return CompletableFuture.allOf(told.toArray(CompletableFuture<?>[]::new));
    }

    void resume() {
        open.forEach(Candidacy::resume);
    }

    /** Ends all; completes when all have ended but those that this very thread is in a callback of. */
    CompletableFuture<Void> close() {
        List<Candidacy> all = List.copyOf(open);
        all.forEach(Candidacy::closeAsync);
        return CompletableFuture.allOf(all.stream()
                .filter(candidacy -> !candidacy.isInCallback())
                .map(Candidacy::ended)
                .toArray(CompletableFuture<?>[]::new));
    }
}
