package io.dynamolock.lockingread;

import io.dynamolock.internal.engine.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** What a blocking and an asynchronous table have in common: all but the calls. Thread-safe. */
final class Locking<T> {

    private static final Duration LONGEST = Duration.ofDays(1);
    private static final Duration SHORTEST_LEASE = Duration.ofMillis(100);

    private final Mapping<T> mapping;
    private final LockingSettings settings;
    private final Surroundings surroundings;
    private final LockRequests requests;
    private final Observations observations;

    Locking(Mapping<T> mapping, LockingSettings settings, Surroundings surroundings) {
        this.mapping = mapping;
        this.settings = settings;
        this.surroundings = surroundings;
        this.requests = new LockRequests(settings.attributes(), settings.lockAbsent());
        // By wall clock a lock need not have been seen before.
        this.observations = new Observations(settings.takeOver() instanceof TakeOver.Observed ? Observations.MOST : 0);
    }

    /** The tries of a caller that wants one item. */
    LockTries tries(Key key, Duration lease, Duration wait) {
        Wait patience = checkedWait(wait);
        return new LockTries(this, itemOf(key), checkedLease(lease), patience, LONGEST);
    }

    /** The tries of a caller that wants several items, in the one order in which they may be locked. */
    List<LockTries> tries(Collection<Key> keys, Duration lease, Duration wait) {
        Wait patience = checkedWait(wait);
        Duration checkedLease = checkedLease(lease);
        List<ItemId> items = new ArrayList<>();
        Set<ItemId> distinct = new HashSet<>();
        for (Key key : keys) {
            ItemId item = itemOf(key);
            if (!distinct.add(item)) {
                throw new IllegalArgumentException("The keys contain the " + item + " twice: give each key once.");
            }
            items.add(item);
        }
        // Seldom enough that there is time to extend what is locked already.
        Duration longestPause = checkedLease.dividedBy(4);
        return items.stream()
                .sorted()
                .map(item -> new LockTries(this, item, checkedLease, patience, longestPause))
                .toList();
    }

    ItemId itemOf(Key key) {
        return mapping.itemOf(Objects.requireNonNull(key, "key"));
    }

    private Wait checkedWait(Duration wait) {
        if (wait.isNegative() || wait.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("The wait must be from PT0S, one try, to " + LONGEST + ", but is " + wait
                    + ". Wait again if a day is not enough.");
        }
        return Wait.from(time(), wait);
    }

    /** To the millisecond, because so it stands in the item. */
    static Duration checkedLease(Duration lease) {
        if (lease.compareTo(SHORTEST_LEASE) < 0 || lease.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("The lease must be from " + SHORTEST_LEASE + " to " + LONGEST
                    + ", but is " + lease + ". Take a time that the work between read and write does not exceed, some"
                    + " seconds mostly, and extend it where that is not enough.");
        }
        return Duration.ofMillis(lease.toMillis());
    }

    /** @throws RuntimeException if the item cannot be read as an object; then it is to be released */
    Hold<T> hold(Grant grant) {
        return new Hold<>(this, grant);
    }

    /** Frees the item if this lock still holds it, and answers whether it did. */
    Call<Boolean> release(ItemId item, String token) {
        return new Call<>(requests.release(item, token), freed -> true, failure -> {
            if (failure instanceof ConditionalCheckFailedException) {
                return false;
            }
            throw failure;
        });
    }

    String newToken() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(random().nextLong()) + hex.toHexDigits(random().nextLong());
    }

    Mapping<T> mapping() {
        return mapping;
    }

    LockingSettings settings() {
        return settings;
    }

    LockRequests requests() {
        return requests;
    }

    Observations observations() {
        return observations;
    }

    TimeSource time() {
        return surroundings.time();
    }

    RandomGenerator random() {
        return surroundings.random();
    }

    Surroundings surroundings() {
        return surroundings;
    }
}
