package io.dynamolock.lockingread;

import io.dynamolock.internal.threads.Futures;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Locks items of the user's own table: one call locks an item and reads it, and another writes and unlocks it.
 *
 * <pre>{@code
 * LockingTable<Customer> customers = LockingTable.builder(client, table).build();
 *
 * try (LockedItem<Customer> locked = customers.lockAndRead(key, Duration.ofSeconds(10), Duration.ofSeconds(5))) {
 *     Customer customer = locked.item();
 *     customer.setTotal(customer.getTotal().add(amount));
 *     locked.updateAndRelease(customer);
 * }
 * }</pre>
 *
 * <p>The lock is in four attributes of the item, which the class {@code T} need not have. A holder that dies without
 * unlocking is replaced when its lease is over: see {@link LockingTableBuilder#takeOverByWallClock} for who judges
 * that. A holder that was only slow finds its write refused then. Callers that wait try again and again, each try costs
 * a write, and there is no order among them. Thread-safe.
 *
 * @param <T> the class of the items
 */
public final class LockingTable<T> {

    private final AsyncLockingTable<T> table;

    private LockingTable(AsyncLockingTable<T> table) {
        this.table = table;
    }

    /**
     * For the items of a table.
     *
     * @param client makes the calls; stays the caller's to close
     * @param table says the name, the schema and the extensions; its class may be a bean, an immutable class or one
     *     with a schema made by hand
     */
    public static <T> LockingTableBuilder<T, LockingTable<T>> builder(DynamoDbClient client, DynamoDbTable<T> table) {
        ItemCalls calls = ItemCalls.by(Objects.requireNonNull(client, "client"));
        return new LockingTableBuilder<>(
                table, calls, Pauses.blocking(), locking -> new LockingTable<>(new AsyncLockingTable<>(locking)));
    }

    /**
     * Locks and reads an item by one call, without waiting.
     *
     * @param lease from 100 milliseconds to a day: how long the lock is this caller's alone if it is not extended
     * @return empty if another caller, or a transaction, has the item
     * @throws ItemNotFoundException if there is no such item, unless the table was built to lock absent items
     * @throws ItemLockInterruptedException if the thread is interrupted; nothing is locked
     * @throws IllegalArgumentException if the key is not one of this table, or the lease is out of its range
     * @throws IllegalStateException if there is something else in the attributes of the lock
     * @throws software.amazon.awssdk.core.exception.SdkException if DynamoDB fails; if there was no answer the item may
     *     be locked all the same: this table then takes it with its next try, others when the lease is over
     */
    public Optional<LockedItem<T>> lockAndRead(Key key, Duration lease) {
        return Futures.result(table.lockAndRead(key, lease)).map(LockedItem::new);
    }

    /**
     * As {@link #lockAndRead(Key, Duration)}, but tries again after short pauses while another caller, or a
     * transaction, has the item.
     *
     * @param wait from zero, which is one try, to a day
     * @throws ItemLockedException if the wait is over; it tells the holder, and what is left of the lease
     */
    public LockedItem<T> lockAndRead(Key key, Duration lease, Duration wait) {
        return new LockedItem<>(Futures.result(table.lockAndRead(key, lease, wait)));
    }

    /**
     * Locks and reads several items, one after the other in one order for all processes: by partition key, then sort
     * key. So callers that want the same items never wait for each other in a circle. While it waits, the items that
     * are locked already are extended in time. Writing them is not one transaction.
     *
     * @param keys different keys
     * @param lease as {@link #lockAndRead(Key, Duration)}, of each item
     * @param wait for all of them together, from zero to a day
     * @return the items in the order of the keys given; each has half of its lease left at least
     * @throws ItemLockedException if the wait is over; it tells which item was not free. As with every other exception,
     *     the items that were locked before it are released
     * @throws ItemLockLostException if an item that was locked was lost while this call waited for another
     * @throws IllegalArgumentException also if a key is given twice
     */
    public List<LockedItem<T>> lockAndReadAll(Collection<Key> keys, Duration lease, Duration wait) {
        return Futures.result(table.lockAndReadAll(keys, lease, wait)).stream()
                .map(LockedItem::new)
                .toList();
    }
}
