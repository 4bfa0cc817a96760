package io.dynamolock;

import java.time.Duration;
import java.util.Optional;

/** What a caller asks for. Immutable, built step by step. */
public final class LockRequest {

    /** Never gives up. */
    public static final Duration FOREVER = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    private LockRequest() {}

    /** A request for this key that does not wait, in the namespace {@code default}. */
    public static LockRequest of(String key) {
        throw new UnsupportedOperationException("not yet " + key);
    }

    public LockRequest namespace(String namespace) {
        throw new UnsupportedOperationException("not yet " + namespace);
    }

    public LockRequest wait(Duration wait) {
        throw new UnsupportedOperationException("not yet " + wait);
    }

    public LockRequest waitForever() {
        return wait(FOREVER);
    }

    /** A name used for metrics. */
    public LockRequest name(String name) {
        throw new UnsupportedOperationException("not yet " + name);
    }

    public LockRequest maxHold(Duration maxHold) {
        throw new UnsupportedOperationException("not yet " + maxHold);
    }

    public LockRequest holdAtLeast(Duration holdAtLeast) {
        throw new UnsupportedOperationException("not yet " + holdAtLeast);
    }

    public String key() {
        throw new UnsupportedOperationException("not yet");
    }

    public String namespace() {
        throw new UnsupportedOperationException("not yet");
    }

    public Duration waitTime() {
        throw new UnsupportedOperationException("not yet");
    }

    /** The name, by default the namespace. */
    public String name() {
        throw new UnsupportedOperationException("not yet");
    }

    public Optional<Duration> maxHold() {
        throw new UnsupportedOperationException("not yet");
    }

    public Optional<Duration> holdAtLeast() {
        throw new UnsupportedOperationException("not yet");
    }
}
