package io.dynamolock.lockingread;

import io.dynamolock.internal.builder.DaxClients;
import io.dynamolock.internal.threads.Futures;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Locks items of the user's own table. One call locks and reads an item, and another call writes and unlocks it.
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
 * <p>The lock is in four attributes of the item, which the class {@code T} need not have. If a holder dies without
 * unlocking the item, another caller takes over the lock when the lease is over: at once if both DynamoDB's clock and
 * this machine's wall clock say that the lease has been over for a twelfth of its length and five seconds, and in any
 * case when this process has seen the lock unchanged for the lease and a twelfth more. If the holder was only slow, its
 * write is then refused. Between calls, a process remembers since when it has seen each lock, for the last 100,000
 * locked items; this takes at most 23 MB. Waiting callers try repeatedly, each try costs a write, and there is no order
 * among them. Thread-safe.
 *
 * @param <T> the class of the items
 */
public final class LockingTable<T> {

    private final AsyncLockingTable<T> table;

    private LockingTable(AsyncLockingTable<T> table) {
        this.table = table;
    }

    /**
     * A builder for the items of a table.
     *
     * @param client makes the calls; the caller closes it
     * @param table gives the name, the schema and the extensions; its class may be a bean, an immutable class or a
     *     class with a schema made by hand
     * @throws IllegalArgumentException if the client is one of DAX, which need not show an item whose lock it refuses
     */
    public static <T> LockingTableBuilder<T, LockingTable<T>> builder(DynamoDbClient client, DynamoDbTable<T> table) {
        ItemCalls calls = ItemCalls.by(DaxClients.refused(client));
        return new LockingTableBuilder<>(
                table, calls, Delayer.blocking(), locking -> new LockingTable<>(new AsyncLockingTable<>(locking)));
    }

    /**
     * Locks and reads an item in one call, without waiting.
     *
     * @param lease how long nobody else may take the lock if it is not extended; from 100 milliseconds to a day
     * @return empty if another caller holds the lock or a transaction is writing the item
     * @throws ItemNotFoundException if there is no such item, unless the table was built to lock absent items
     * @throws ItemLockInterruptedException if the thread is interrupted; nothing is locked
     * @throws IllegalArgumentException if the key is not one of this table, or the lease is out of its range
     * @throws IllegalStateException if the item's attributes with the names of the lock's are not a lock
     * @throws software.amazon.awssdk.core.exception.SdkException if DynamoDB fails. If there was no answer, the item
     *     may still be locked; this table then takes over that lock with its next try, and others do when the lease is
     *     over
     */
    public Optional<LockedItem<T>> lockAndRead(Key key, Duration lease) {
        return Futures.result(table.lockAndRead(key, lease)).map(LockedItem::new);
    }

    /**
     * Like {@link #lockAndRead(Key, Duration)}, but tries again after short pauses while another caller holds the lock
     * or a transaction is writing the item.
     *
     * @param wait from zero, which means one try, to a day
     * @throws ItemLockedException if the wait is over; it tells the holder and how much of the lease is left
     */
    public LockedItem<T> lockAndRead(Key key, Duration lease, Duration wait) {
        return new LockedItem<>(Futures.result(table.lockAndRead(key, lease, wait)));
    }

    /**
     * Locks and reads several items one after the other. All processes lock in the same order, by partition key and
     * then by sort key, so callers that want the same items never deadlock. While the call waits for an item, it
     * extends the locks that it already holds. The items are not written in one transaction.
     *
     * @param keys different keys
     * @param lease of each item, as for {@link #lockAndRead(Key, Duration)}
     * @param wait for all items together, from zero to a day
     * @return the items in the order of the keys; each has at least half of its lease left
     * @throws ItemLockedException if the wait is over; it tells which item was not free. After this and every other
     *     exception, the items that were already locked are released
     * @throws ItemLockLostException if an item that was already locked was lost while this call waited for another
     * @throws IllegalArgumentException if a key is given twice or is not one of this table, or the lease is out of its
     *     range
     */
    public List<LockedItem<T>> lockAndReadAll(Collection<Key> keys, Duration lease, Duration wait) {
        return Futures.result(table.lockAndReadAll(keys, lease, wait)).stream()
                .map(LockedItem::new)
                .toList();
    }
}
