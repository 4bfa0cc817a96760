package io.dynamolock.internal.registry;

import static org.awaitility.Awaitility.await;

import io.dynamolock.LockAdmin;
import io.dynamolock.internal.builder.RegistryParts;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Acquisition;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.HoldLimits;
import io.dynamolock.internal.engine.ValidSession;
import io.dynamolock.internal.fences.Fences;
import io.dynamolock.internal.handles.RequestDefaults;
import io.dynamolock.internal.handles.UnawaitedReleases;
import io.dynamolock.internal.process.Inspection;
import io.dynamolock.internal.process.InspectionPage;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.LockPage;
import io.dynamolock.internal.testing.FakeGrant;
import io.dynamolock.internal.testing.ManualTime;
import io.dynamolock.internal.threads.ListenerQueue;
import io.dynamolock.internal.threads.RegistryThreads;
import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An engine whose every answer a test gives: at once by {@link #answer}, or later through {@link #attempts}. */
final class FakeEngine implements LockEngine {

    /** How many releases may be under way that nobody awaits. */
    static final int ROOM = 3;

    final List<Attempt> attempts = new CopyOnWriteArrayList<>();
    final AtomicLong lastNumber = new AtomicLong(100);
    final AtomicInteger pauses = new AtomicInteger();
    final AtomicInteger resumes = new AtomicInteger();
    final CompletableFuture<Void> paused = new CompletableFuture<>();
    volatile @Nullable ValidSession session;
    final CompletableFuture<Void> shutdown = new CompletableFuture<>();
    final CompletableFuture<Inspection> inspection = new CompletableFuture<>();
    final List<Grant> held = new CopyOnWriteArrayList<>();
    volatile Function<Attempt, AcquireOutcome> answer = attempt -> null;
    volatile LockKey inspected;
    final ManualTime time = new ManualTime();

    @Override
    public CompletableFuture<Void> resize(LockKey key, int to) {
        throw new UnsupportedOperationException();
    }

    CompletableFuture<Boolean> eviction = new CompletableFuture<>();
    volatile String evicted;

    @Override
    public CompletableFuture<Boolean> evict(LockKey key, String entry, String operator) {
        inspected = key;
        evicted = entry;
        return eviction;
    }

    DefaultLockRegistry registry() {
        return registry(0);
    }

    DefaultLockRegistry registry(int keyPrefixBytes) {
        return registry(new RegistryThreads(null, task -> task), keyPrefixBytes, Duration.ofSeconds(10));
    }

    DefaultLockRegistry registry(RegistryThreads threads, int keyPrefixBytes, Duration closeTimeout) {
        return new RegistryParts(
                        this,
                        threads,
                        new ListenerQueue(List.of(), TimeSource.system()),
                        null,
                        (failures, step) -> {},
                        Fences.NONE,
                        Optional.empty(),
                        new UnawaitedReleases(ROOM),
                        new Admission(
                                new RequestDefaults(Duration.ofMinutes(1), false, Duration.ofMillis(10)),
                                keyPrefixBytes,
                                200),
                        closeTimeout)
                .assemble();
    }

    /** Grants everything at once. */
    FakeEngine granting() {
        answer = attempt -> new AcquireOutcome.Granted(attempt.grant);
        return this;
    }

    /** Answers everything at once, always the same. */
    FakeEngine answering(AcquireOutcome outcome) {
        answer = attempt -> outcome;
        return this;
    }

    /** The n-th attempt, counted from 0, as soon as it is made. */
    Attempt attempt(int index) {
        await().until(() -> attempts.size() > index);
        return attempts.get(index);
    }

    @Override
    public Acquisition acquire(AcquireSpec spec) {
        Attempt attempt = new Attempt(spec, new FakeGrant(spec.key(), spec.name(), lastNumber.incrementAndGet()));
        attempt.grant.caller = spec.caller();
        attempt.grant.release = spec.release();
        attempt.grant.limits = new HoldLimits(spec.maxHold(), spec.holdAtLeast());
        attempts.add(attempt);
        AcquireOutcome outcome = answer.apply(attempt);
        if (outcome != null) {
            attempt.outcome.complete(outcome);
        }
        return attempt;
    }

    @Override
    public CompletableFuture<Inspection> inspect(LockKey key) {
        inspected = key;
        return inspection;
    }

    @Override
    public CompletableFuture<InspectionPage> list(@Nullable String key, LockPage.@Nullable Mark after) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<Grant> held() {
        return held;
    }

    @Override
    public List<Grant> held(LockKey key) {
        return attempts.stream()
                .<Grant>map(attempt -> attempt.grant)
                .filter(grant -> grant.key().equals(key) && grant.isValid())
                .toList();
    }

    @Override
    public Optional<String> clockProblem() {
        return Optional.empty();
    }

    @Override
    public TimeSource time() {
        return time;
    }

    @Override
    public int waiting() {
        return (int)
                attempts.stream().filter(attempt -> !attempt.outcome.isDone()).count();
    }

    @Override
    public List<LockAdmin.Waiter> waiters() {
        return attempts.stream()
                .filter(attempt -> !attempt.outcome.isDone())
                .map(attempt -> new LockAdmin.Waiter(
                        attempt.spec.key().key(),
                        attempt.spec.key().namespace(),
                        attempt.spec.name(),
                        attempt.spec.caller(),
                        FakeGrant.SINCE))
                .toList();
    }

    @Override
    public Optional<ValidSession> session() {
        return Optional.ofNullable(session);
    }

    @Override
    public CompletableFuture<Void> pause() {
        pauses.incrementAndGet();
        return paused;
    }

    @Override
    public void resume() {
        resumes.incrementAndGet();
    }

    @Override
    public void endWaitsAfter(Duration longest) {
        throw new UnsupportedOperationException();
    }

    @Override
    public CompletableFuture<Void> shutdown() {
        attempts.forEach(attempt -> {
            attempt.outcome.complete(new AcquireOutcome.Closed());
            attempt.grant.lose();
        });
        inspection.completeExceptionally(new IllegalStateException("shut down"));
        return shutdown;
    }

    /** One call of acquire. */
    static final class Attempt implements Acquisition {

        final AcquireSpec spec;
        final FakeGrant grant;
        final AtomicInteger abandons = new AtomicInteger();
        final CompletableFuture<AcquireOutcome> outcome = new CompletableFuture<>();

        Attempt(AcquireSpec spec, FakeGrant grant) {
            this.spec = spec;
            this.grant = grant;
            grant.kind = spec.kind();
        }

        void grant() {
            outcome.complete(new AcquireOutcome.Granted(grant));
        }

        @Override
        public CompletableFuture<AcquireOutcome> outcome() {
            return outcome;
        }

        @Override
        public OptionalLong ahead() {
            return OptionalLong.empty();
        }

        @Override
        public void abandon() {
            abandons.incrementAndGet();
            if (!outcome.complete(new AcquireOutcome.Abandoned()) && outcome.join() instanceof AcquireOutcome.Granted) {
                grant.release();
            }
        }
    }
}
