package io.dynamolock.internal.engine;

import io.dynamolock.internal.protocol.LockKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Builds what callers of tests ask for, as in {@code Specs.exclusive(KEY).waiting(MINUTE).holdAtLeast(SECOND).spec()}.
 * By default a caller waits for a minute, sets no limits to its hold and takes the lock also if it has no item.
 * Immutable: each method gives a new builder.
 */
public final class Specs {

    private final AcquireSpec spec;

    private Specs(AcquireSpec spec) {
        this.spec = spec;
    }

    /** Asks for the lock for the caller alone. */
    public static Specs exclusive(LockKey key) {
        return as(Kind.EXCLUSIVE, key);
    }

    /** Asks for the lock as an exclusive holder, a reader, a writer or the holder of a permit. */
    public static Specs as(Kind kind, LockKey key) {
        return new Specs(new AcquireSpec(key, "test", Duration.ofMinutes(1), null, null, kind, 0, false, ""));
    }

    public Specs waiting(Duration limit) {
        return with(spec.name(), limit, spec.maxHold(), spec.holdAtLeast(), spec.permits(), spec.onlyIfExists());
    }

    public Specs waitingForever() {
        return waiting(AcquireSpec.FOREVER);
    }

    public Specs notWaiting() {
        return waiting(Duration.ZERO);
    }

    public Specs maxHold(@Nullable Duration limit) {
        return with(spec.name(), spec.waitLimit(), limit, spec.holdAtLeast(), spec.permits(), spec.onlyIfExists());
    }

    public Specs holdAtLeast(@Nullable Duration limit) {
        return with(spec.name(), spec.waitLimit(), spec.maxHold(), limit, spec.permits(), spec.onlyIfExists());
    }

    /** Says how many permits the lock has in all. */
    public Specs permits(int permits) {
        return with(spec.name(), spec.waitLimit(), spec.maxHold(), spec.holdAtLeast(), permits, spec.onlyIfExists());
    }

    /** Asks for the lock only if it has an item already. */
    public Specs onlyIfExists() {
        return onlyIfExists(true);
    }

    public Specs onlyIfExists(boolean onlyIfExists) {
        return with(spec.name(), spec.waitLimit(), spec.maxHold(), spec.holdAtLeast(), spec.permits(), onlyIfExists);
    }

    /** Lets the entry stay for this long after a release that is not awaited. */
    public Specs staying(Duration stay) {
        return new Specs(new AcquireSpec(
                spec.key(),
                spec.name(),
                spec.waitLimit(),
                spec.maxHold(),
                spec.holdAtLeast(),
                spec.kind(),
                spec.permits(),
                spec.onlyIfExists(),
                spec.caller(),
                new ReleaseTerms(false, stay)));
    }

    /** Gives the lock a name for metrics. */
    public Specs named(String name) {
        return with(name, spec.waitLimit(), spec.maxHold(), spec.holdAtLeast(), spec.permits(), spec.onlyIfExists());
    }

    public AcquireSpec spec() {
        return spec;
    }

    private Specs with(
            String name,
            Duration waitLimit,
            @Nullable Duration maxHold,
            @Nullable Duration holdAtLeast,
            int permits,
            boolean onlyIfExists) {
        return new Specs(new AcquireSpec(
                spec.key(),
                name,
                waitLimit,
                maxHold,
                holdAtLeast,
                spec.kind(),
                permits,
                onlyIfExists,
                spec.caller(),
                spec.release()));
    }
}
