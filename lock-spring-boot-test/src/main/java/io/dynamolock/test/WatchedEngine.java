package io.dynamolock.test;

import io.dynamolock.LockRequest;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Acquisition;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.Holder;
import io.dynamolock.internal.process.LockEngine;
import io.dynamolock.internal.protocol.LockKey;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Sees who asks the engine of the code under test, and can end waits. Thread-safe. */
final class WatchedEngine {

    /** Waits of over a century never end. */
    private static final Duration CENTURY = Duration.ofDays(36_500);

    private final LockEngine own;
    private final MovableTime time;
    private final Consumer<Grant> granted;
    private final Set<Attempt> attempts = ConcurrentHashMap.newKeySet();
    private final Set<LockKey> timedOut = ConcurrentHashMap.newKeySet();

    /** @param granted hears of each grant before the caller that gets it */
    WatchedEngine(LockEngine own, MovableTime time, Consumer<Grant> granted) {
        this.own = own;
        this.time = time;
        this.granted = granted;
    }

    LockEngine own() {
        return own;
    }

    /** The same engine for the registry. A proxy, for it is only asking that it changes. */
    LockEngine asked() {
        return (LockEngine) Proxy.newProxyInstance(
                LockEngine.class.getClassLoader(),
                new Class<?>[] {LockEngine.class},
                (proxy, method, arguments) -> method.getName().equals("acquire")
                        ? acquire((AcquireSpec) arguments[0])
                        : forward(method, arguments));
    }

    private @Nullable Object forward(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(own, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Acquisition acquire(AcquireSpec spec) {
        // An election waits for ever.
        boolean endsAtOnce = timedOut.contains(spec.key()) && !spec.key().isOfElection();
        if (endsAtOnce && isForEver(spec)) {
            throw new IllegalStateException("The test lets waits for " + describe(spec.key())
                    + " time out, but this caller waits for ever, so nothing would end its wait in production."
                    + " Give it a wait, or have the lock occupied instead.");
        }
        Attempt attempt = new Attempt(spec, own.acquire(endsAtOnce ? withoutWait(spec) : spec));
        attempts.add(attempt);
        attempt.real.outcome().thenAccept(attempt::end);
        time.somethingChanged();
        return attempt;
    }

    private static boolean isForEver(AcquireSpec spec) {
        return spec.waitLimit().compareTo(CENTURY) > 0;
    }

    private static AcquireSpec withoutWait(AcquireSpec spec) {
        return new AcquireSpec(
                spec.key(),
                spec.name(),
                Duration.ZERO,
                spec.maxHold(),
                spec.holdAtLeast(),
                spec.kind(),
                spec.permits(),
                spec.onlyIfExists(),
                spec.caller());
    }

    /** From now on waits for the lock end at once, and so do those that are under way. */
    void timeOut(LockKey key, String holder, Instant since) {
        timedOut.add(key);
        for (Attempt attempt : attempts) {
            if (attempt.spec.key().equals(key) && !isForEver(attempt.spec)) {
                attempt.leave(new AcquireOutcome.TimedOut(attempt.spec.waitLimit(), 1, new Holder(holder, since)));
            }
        }
    }

    void timeOutNoMore(LockKey key) {
        timedOut.remove(key);
    }

    /** Ends these waits. */
    void endWaits(Predicate<LockKey> which, AcquireOutcome how) {
        for (Attempt attempt : attempts) {
            if (which.test(attempt.spec.key())) {
                attempt.leave(how);
            }
        }
    }

    boolean isWaitedFor(LockKey key) {
        return attempts.stream().anyMatch(attempt -> attempt.spec.key().equals(key));
    }

    static String describe(LockKey key) {
        return "lock '" + key.key() + "'"
                + (key.namespace().equals(LockRequest.DEFAULT_NAMESPACE)
                        ? ""
                        : " in namespace '" + key.namespace() + "'");
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

        void end(AcquireOutcome how) {
            attempts.remove(this);
            if (how instanceof AcquireOutcome.Granted grant && !outcome.isDone()) {
                granted.accept(grant.grant());
            }
            outcome.complete(
                    how instanceof AcquireOutcome.TimedOut late && timedOut.contains(spec.key())
                            ? new AcquireOutcome.TimedOut(spec.waitLimit(), late.ahead(), late.holder())
                            : how);
        }

        void leave(AcquireOutcome how) {
            if (outcome.complete(how)) {
                real.abandon();
                attempts.remove(this);
            }
        }
    }
}
