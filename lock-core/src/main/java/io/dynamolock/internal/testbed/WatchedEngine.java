package io.dynamolock.internal.testbed;

import io.dynamolock.LockAdmin;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Acquisition;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.Holder;
import io.dynamolock.internal.engine.ValidSession;
import io.dynamolock.internal.process.Inspection;
import io.dynamolock.internal.process.InspectionPage;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The engine of the code under test: sees who acquires, and can end waits. Everything else it passes on. Thread-safe.
 */
final class WatchedEngine implements LockEngine {

    private final LockEngine engine;
    private final MovableTime time;
    private final Consumer<LockAdmin.Held> granted;
    /** The callers that have no answer yet. */
    private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
    /** The locks for which every wait ends at once. */
    private final Set<LockKey> timedOut = ConcurrentHashMap.newKeySet();

    /** @param granted hears of each grant before the caller that gets it */
    WatchedEngine(LockEngine engine, MovableTime time, Consumer<LockAdmin.Held> granted) {
        this.engine = engine;
        this.time = time;
        this.granted = granted;
    }

    @Override
    public Acquisition acquire(AcquireSpec spec) {
        // Leader elections wait for ever.
        boolean endsAtOnce = timedOut.contains(spec.key()) && !spec.key().isOfElection();
        if (endsAtOnce && spec.waitsForever()) {
            throw new IllegalStateException("The test lets waits for " + LockDescription.of(spec.key())
                    + " time out, but this caller waits for ever, so nothing would end its wait in production."
                    + " Give it a wait, or have the lock occupied instead.");
        }
        Attempt attempt =
                new Attempt(spec, engine.acquire(awaited(spec, endsAtOnce ? Duration.ZERO : spec.waitLimit())));
        attempts.add(attempt);
        attempt.real.outcome().thenAccept(attempt::end);
        time.somethingChanged();
        return attempt;
    }

    /** A test looks at a lock right after the code under test has released it, so every release is awaited. */
    private static AcquireSpec awaited(AcquireSpec spec, Duration waitLimit) {
        return new AcquireSpec(
                spec.key(),
                spec.name(),
                waitLimit,
                spec.maxHold(),
                spec.holdAtLeast(),
                spec.kind(),
                spec.permits(),
                spec.onlyIfExists(),
                spec.caller());
    }

    /** From now on waits for the lock end at once, and so do the waits that are under way. */
    void timeOut(LockKey key, String holder, Instant since) {
        timedOut.add(key);
        for (Attempt attempt : attempts) {
            if (attempt.spec.key().equals(key) && !attempt.spec.waitsForever()) {
                attempt.leave(new AcquireOutcome.TimedOut(attempt.spec.waitLimit(), 1, new Holder(holder, since)));
            }
        }
    }

    void timeOutNoMore(LockKey key) {
        timedOut.remove(key);
    }

    /** Ends the waits for these locks. */
    void endWaits(Predicate<LockKey> locks, AcquireOutcome outcome) {
        for (Attempt attempt : attempts) {
            if (locks.test(attempt.spec.key())) {
                attempt.leave(outcome);
            }
        }
    }

    boolean isWaitedFor(LockKey key) {
        return attempts.stream().anyMatch(attempt -> attempt.spec.key().equals(key));
    }

    /** A caller that has asked. */
    private final class Attempt implements Acquisition {

        private final AcquireSpec spec;
        private final Acquisition real;
        private final CompletableFuture<AcquireOutcome> outcome = new CompletableFuture<>();

        /** @param spec what the caller asked for, whatever the engine was asked for */
        Attempt(AcquireSpec spec, Acquisition real) {
            this.spec = spec;
            this.real = real;
        }

        @Override
        public CompletableFuture<AcquireOutcome> outcome() {
            return outcome;
        }

        @Override
        public OptionalLong ahead() {
            return real.ahead();
        }

        @Override
        public void abandon() {
            real.abandon();
        }

        /** The engine has answered. */
        void end(AcquireOutcome answer) {
            attempts.remove(this);
            if (answer instanceof AcquireOutcome.Granted grant && !outcome.isDone()) {
                granted.accept(asHeld(grant.grant()));
            }
            if (answer instanceof AcquireOutcome.TimedOut late && timedOut.contains(spec.key())) {
                outcome.complete(new AcquireOutcome.TimedOut(spec.waitLimit(), late.ahead(), late.holder()));
            } else {
                outcome.complete(answer);
            }
        }

        private LockAdmin.Held asHeld(Grant grant) {
            return new LockAdmin.Held(
                    grant.key().key(), grant.key().namespace(), spec.name(), grant.ticket(), time.now(), spec.caller());
        }

        /** The test ends the wait, before the engine has answered. */
        void leave(AcquireOutcome reason) {
            if (outcome.complete(reason)) {
                real.abandon();
                attempts.remove(this);
            }
        }
    }

    // Passed on

    @Override
    public CompletableFuture<Inspection> inspect(LockKey key) {
        return engine.inspect(key);
    }

    @Override
    public CompletableFuture<InspectionPage> list(@Nullable String key, LockPage.@Nullable Mark after) {
        return engine.list(key, after);
    }

    @Override
    public CompletableFuture<Void> resize(LockKey key, int permits) {
        return engine.resize(key, permits);
    }

    @Override
    public CompletableFuture<Boolean> evict(LockKey key, String entry, String operator) {
        return engine.evict(key, entry, operator);
    }

    @Override
    public List<Grant> held() {
        return engine.held();
    }

    @Override
    public List<Grant> held(LockKey key) {
        return engine.held(key);
    }

    @Override
    public TimeSource time() {
        return engine.time();
    }

    @Override
    public Optional<String> clockProblem() {
        return engine.clockProblem();
    }

    @Override
    public int waiting() {
        return engine.waiting();
    }

    @Override
    public List<LockAdmin.Waiter> waiters() {
        return engine.waiters();
    }

    @Override
    public Optional<ValidSession> session() {
        return engine.session();
    }

    @Override
    public CompletableFuture<Void> pause() {
        return engine.pause();
    }

    @Override
    public void resume() {
        engine.resume();
    }

    @Override
    public void endWaitsAfter(Duration longest) {
        engine.endWaitsAfter(longest);
    }

    @Override
    public CompletableFuture<Void> shutdown() {
        return engine.shutdown();
    }
}
