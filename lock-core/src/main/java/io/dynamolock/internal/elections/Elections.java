package io.dynamolock.internal.elections;

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
public final class Elections {

    /** The candidacies that have not ended. */
    private final Set<Candidacy> open = ConcurrentHashMap.newKeySet();

    private final Function<LockRequest, CompletableFuture<LockHandle>> locks;
    private final Executor callbacks;
    private final ElectionPauses pauses;

    public Elections(
            Function<LockRequest, CompletableFuture<LockHandle>> locks, Executor callbacks, ElectionPauses pauses) {
        this.locks = locks;
        this.callbacks = callbacks;
        this.pauses = pauses;
    }

    public LeaderElection begin(LockRequest request, LeaderListener listener) {
        Candidacy candidacy = new Candidacy(request, listener, locks, callbacks, pauses);
        open.add(candidacy);
        candidacy.ended().thenRun(() -> open.remove(candidacy));
        candidacy.start();
        return candidacy;
    }

    /**
     * Lets all leaders resign, and no candidate stand again until {@link #resume()}.
     *
     * @return completes when all leaders were told, except a leader that this very thread is telling something
     */
    public CompletableFuture<Void> pause() {
        return allOf(Candidacy::pause);
    }

    public void resume() {
        open.forEach(Candidacy::resume);
    }

    /**
     * Ends all candidacies. The locks of leaders are given back, but the engine waits for that: it is closed next.
     *
     * @return completes when all leaders were told, except a leader that this very thread is telling something
     */
    public CompletableFuture<Void> close() {
        return allOf(Candidacy::closeForRegistry);
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
