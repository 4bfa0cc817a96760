package io.dynamolock.lockingread;

import io.dynamolock.internal.protocol.Clocks;
import io.dynamolock.internal.text.SafeText;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A lock that was found in an item.
 *
 * @param token identifies this lock and the call that wrote it; see {@link LockToken}
 * @param owner name of the holder, for people
 * @param until end of the lease, by the later of the holder's wall clock and the latest that the store's clock could
 *     say; {@code null} if the holder did not know the store's time
 * @param lease length of the lease
 */
record ItemLock(String token, String owner, @Nullable Instant until, Duration lease) {

    /**
     * Maximum length of a token that is read. Processes remember many tokens, and whoever can write the table can write
     * any text there.
     */
    private static final int MAX_TOKEN = 256;

    private static final AttributeValue ABSENT = AttributeValue.fromNul(true);

    /**
     * The lock in an item.
     *
     * @throws IllegalStateException if the item's attributes are not a lock
     */
    static ItemLock in(Map<String, AttributeValue> attributes, LockAttributes names, ItemId item) {
        String token = attributes.getOrDefault(names.token(), ABSENT).s();
        String owner = attributes.getOrDefault(names.owner(), ABSENT).s();
        AttributeValue until = attributes.get(names.until());
        String lease = attributes.getOrDefault(names.lease(), ABSENT).n();
        if (token != null && token.length() <= MAX_TOKEN) {
            try {
                return new ItemLock(
                        token,
                        owner == null ? "a process of unknown name" : SafeText.clean(owner),
                        until == null ? null : Instant.ofEpochMilli(Long.parseLong(until.n())),
                        Lease.checked(Duration.ofMillis(Long.parseLong(lease))));
            } catch (IllegalArgumentException notALock) {
                // The attributes are not a lock, which is told below. That includes the case that one is not a number.
            }
        }
        throw new IllegalStateException("The " + item + " has attributes called like those of a lock, " + names.all()
                + ", that are not a lock of a locking table. If they are data, give the lock's attributes other names"
                + " on the builder of the locking table; if not, remove all of them.");
    }

    /**
     * How long others must leave the lock alone: a twelfth longer than its lease, because clocks may be slewed by so
     * much.
     */
    Duration respected() {
        return lease.plus(lease.dividedBy(Clocks.SLEW));
    }

    /**
     * The time after which the lock may be taken over at once, if both the store's clock and the wall clock say that it
     * is past; {@code null} if the lock can only be watched.
     */
    @Nullable
    Instant overAfter() {
        return until == null ? null : until.plus(lease.dividedBy(Clocks.SLEW)).plus(Clocks.BOUND);
    }
}
