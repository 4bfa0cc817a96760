package io.dynamolock.lockingread;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What this process has seen of locks that others hold, and which locks of its own it gave up without knowing whether
 * it had them. It is kept between calls, so that a caller that never waits can still take over what a dead process
 * left. Bounded: what was not asked for longest is forgotten, which makes a take-over later, never wrong. Thread-safe.
 */
final class Observations {

    /** 20 MB: 200 bytes each, as measured on a 64-bit JVM with tokens as they are made here. */
    static final int MOST = 100_000;

    private static final int MOST_GIVEN_UP = 1_000;

    private final Recent<Seen> seen;
    private final Map<Long, String> givenUp = new Recent<>(MOST_GIVEN_UP);

    /** A lease's time after a lock was thrown out whose lease had not passed; null if there was none. */
    private @Nullable Long forgettingUntilNanos;

    Observations(int most) {
        this.seen = new Recent<>(most);
    }

    /**
     * A lock without what is only for people, in numbers because there may be many.
     *
     * @param sinceNanos when the answer came that first showed the lock like this, by the monotonic clock
     */
    record Seen(String token, long untilMillis, long leaseMillis, long sinceNanos) {

        Seen(ItemLock lock, long sinceNanos) {
            this(lock.token(), lock.until().toEpochMilli(), lock.lease().toMillis(), sinceNanos);
        }

        ItemLock lock() {
            return new ItemLock(token, null, Instant.ofEpochMilli(untilMillis), Duration.ofMillis(leaseMillis));
        }
    }

    /** Notes what an answer shows. */
    synchronized Seen see(ItemId item, ItemLock lock, long nanos) {
        Long print = fingerprint(item);
        Seen known = seen.get(print);
        if (known != null && known.equals(new Seen(lock, known.sinceNanos()))) {
            return known;
        }
        Seen first = new Seen(lock, nanos);
        if (known == null && seen.isFull()) {
            seen.values().stream().findFirst().ifPresent(eldest -> throwOut(eldest, nanos));
        }
        seen.put(print, first);
        return first;
    }

    private void throwOut(Seen eldest, long nanos) {
        long leaseNanos = TimeUnit.MILLISECONDS.toNanos(eldest.leaseMillis());
        boolean isOver = nanos - eldest.sinceNanos() >= leaseNanos;
        if (!isOver && !isForgetting(nanos + leaseNanos)) {
            forgettingUntilNanos = nanos + leaseNanos;
        }
    }

    synchronized Optional<Seen> lastSeen(ItemId item) {
        return Optional.ofNullable(seen.get(fingerprint(item)));
    }

    /** Whether it lately threw out a lock whose lease had not passed, to make room for another one. */
    synchronized boolean isForgetting(long nanos) {
        return forgettingUntilNanos != null && forgettingUntilNanos - nanos > 0;
    }

    /** A lock with this token may stand in the item, or yet come to stand there, and no caller knows of it. */
    synchronized void giveUp(ItemId item, String token) {
        givenUp.put(fingerprint(item), token);
    }

    synchronized Optional<String> givenUp(ItemId item) {
        return Optional.ofNullable(givenUp.get(fingerprint(item)));
    }

    /** The item is free, gone, or this process's. */
    synchronized void forget(ItemId item) {
        Long print = fingerprint(item);
        seen.remove(print);
        givenUp.remove(print);
    }

    /**
     * Stands for a key of up to 3 KB. Should two items of a table ever have the same, one is taken over later: nothing is
     * taken over but the very lock whose random token was seen.
     */
    private static Long fingerprint(ItemId item) {
        try {
            byte[] key = item.key().toString().getBytes(StandardCharsets.UTF_8);
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(key))
                    .getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static final class Recent<V> extends LinkedHashMap<Long, V> {

        private static final long serialVersionUID = 1L;

        private final int most;

        Recent(int most) {
            super(16, 0.75f, true);
            this.most = most;
        }

        boolean isFull() {
            return size() == most;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, V> eldest) {
            return size() > most;
        }
    }
}
