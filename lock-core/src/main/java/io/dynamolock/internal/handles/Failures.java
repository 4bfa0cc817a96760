package io.dynamolock.internal.handles;

import io.dynamolock.LockClosedException;
import io.dynamolock.LockEvictedException;
import io.dynamolock.LockException;
import io.dynamolock.LockInterruptedException;
import io.dynamolock.LockNotFoundException;
import io.dynamolock.LockPausedException;
import io.dynamolock.LockPermitsException;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.internal.engine.AcquireOutcome;
import io.dynamolock.internal.engine.AcquireSpec;
import io.dynamolock.internal.engine.Grant;
import io.dynamolock.internal.engine.Holder;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.internal.text.LockNames;
import io.dynamolock.internal.text.PersonalText;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Turns outcomes of the engine and failures of the store into the exceptions that users catch. */
public final class Failures {

    private Failures() {}

    /**
     * The exception for an outcome that is not a grant.
     *
     * @param holdHere a hold of this process that kept the caller from the lock; null if there is none
     */
    public static LockException of(AcquireOutcome outcome, AcquireSpec spec, @Nullable HoldHere holdHere) {
        LockKey lock = spec.key();
        String key = lock.key();
        String namespace = lock.namespace();
        if (outcome instanceof AcquireOutcome.TimedOut timedOut) {
            return timeout(spec, timedOut, holdHere);
        } else if (outcome instanceof AcquireOutcome.Failed failed) {
            String whatFailed = "After " + failed.waited().truncatedTo(ChronoUnit.MILLIS) + ", acquiring the "
                    + LockNames.describe(lock, spec.name()) + " failed, the lock is not held";
            return ofStore(lock, whatFailed, failed.cause());
        } else if (outcome instanceof AcquireOutcome.Evicted evicted) {
            return new LockEvictedException(key, namespace, spec.name(), evicted.waited());
        } else if (outcome instanceof AcquireOutcome.OtherPermits other) {
            return new LockPermitsException(key, namespace, spec.name(), spec.permits(), other.permits());
        } else if (outcome instanceof AcquireOutcome.NotFound) {
            return new LockNotFoundException(key, namespace, spec.name());
        } else if (outcome instanceof AcquireOutcome.Paused) {
            return new LockPausedException(key, namespace, spec.name());
        } else if (outcome instanceof AcquireOutcome.Closed) {
            return new LockClosedException(key, namespace, spec.name());
        }
        throw new IllegalStateException("granted, or abandoned, but not by the caller: " + outcome);
    }

    private static LockTimeoutException timeout(
            AcquireSpec spec, AcquireOutcome.TimedOut timedOut, @Nullable HoldHere holdHere) {
        LockKey lock = spec.key();
        Holder holder = timedOut.holder();
        // The holder, if there is one, is counted among those ahead, but does not wait.
        long position = holder == null ? timedOut.ahead() + 1 : Math.max(1, timedOut.ahead());
        return new LockTimeoutException(
                lock.key(),
                lock.namespace(),
                "Did not get the " + LockNames.describe(lock, spec.name()) + " after waiting "
                        + timedOut.waited().truncatedTo(ChronoUnit.MILLIS) + ": at position " + position
                        + " of the queue in the end, " + heldBy(holder) + unreadable(timedOut.unreadable())
                        + (holdHere == null ? "" : holdHere.inWords()),
                timedOut.waited(),
                position,
                holder == null ? null : holder.owner(),
                holder == null ? null : holder.since());
    }

    private static String unreadable(@Nullable StoreFailure session) {
        return session == null
                ? ""
                : " The session of a process ahead cannot be read, so nobody can tell whether that process is dead: "
                        + session.getMessage() + ".";
    }

    private static String heldBy(@Nullable Holder holder) {
        if (holder == null) {
            return "holder unknown.";
        }
        return "held by " + (holder.owner() == null ? "a process of unknown name" : PersonalText.owner(holder.owner()))
                + (holder.since() == null ? "." : " since " + holder.since() + " or longer.");
    }

    /**
     * The exception for a caller that wanted several locks and has waited in vain for the last one that it asked for.
     */
    public static LockTimeoutException after(Duration waitedInAll, LockTimeoutException last) {
        return new LockTimeoutException(
                last.key(),
                last.namespace(),
                "Did not get all of several locks after waiting " + waitedInAll.truncatedTo(ChronoUnit.MILLIS) + ". "
                        + last.getMessage(),
                waitedInAll,
                last.position(),
                last.holder().orElse(null),
                last.heldSince().orElse(null));
    }

    /** @param whatFailed the beginning of a sentence that ends with the store's message */
    public static LockStoreException ofStore(LockKey lock, String whatFailed, StoreFailure cause) {
        return new LockStoreException(
                lock.key(),
                lock.namespace(),
                whatFailed + ": " + cause.getMessage(),
                cause,
                !cause.isForGood(),
                cause.throttling().map(StoreFailure.Throttling::tag).orElse(null));
    }

    public static LockInterruptedException interrupted(AcquireSpec spec, @Nullable InterruptedException cause) {
        LockKey lock = spec.key();
        return new LockInterruptedException(
                lock.key(),
                lock.namespace(),
                "Interrupted while waiting for " + LockNames.describe(lock, spec.name()) + "; the lock is not held.",
                cause);
    }

    /** Why a lock was lost, for the middle of a sentence. */
    static String lossOf(Grant grant) {
        return grant.loss()
                .map(reason -> switch (reason) {
                    case SESSION_LOST ->
                        "no heartbeat of this process got through within the lease, another process took it for dead,"
                                + " or the clock of this machine was set ahead";
                    case MAX_HOLD -> "its maxHold is over";
                    case TAKEN_AWAY -> "its item in the table was changed or deleted by hand";
                    case EVICTED -> "an operator had it taken away (LockAdmin.evict)";
                    case CLOSED -> "its registry was closed";
                    case PAUSED -> "its registry was paused";
                })
                .orElse("the reason is not known yet");
    }
}
