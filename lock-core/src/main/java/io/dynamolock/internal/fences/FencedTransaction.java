package io.dynamolock.internal.fences;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.internal.threads.GrowingPause;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleSupplier;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * One fenced transaction through all its attempts: what is sent, and what a refusal means. Not thread-safe, but one
 * thread after another may use it.
 */
final class FencedTransaction {

    /** Maximum number of the caller's items: DynamoDB takes a hundred, and one of them is the check of the lock. */
    static final int MOST_ITEMS = 99;

    static final int MOST_ATTEMPTS = 50;

    private static final GrowingPause PAUSE = new GrowingPause(Duration.ofMillis(10), 4, 0.5);

    private static final String NONE = "None";
    private static final String CONDITION = "ConditionalCheckFailed";
    private static final String CONFLICT = "TransactionConflict";

    private final LockHandle handle;
    private final TransactWriteItemsRequest writes;
    private final DoubleSupplier random;
    /** How many attempts were made, including an attempt under way. */
    private int attempts;

    /**
     * @param random for jitter, from 0 to 1
     * @throws IllegalArgumentException if there is no item, or too many
     */
    FencedTransaction(LockHandle handle, TransactWriteItemsRequest writes, DoubleSupplier random) {
        this.handle = Objects.requireNonNull(handle, "handle");
        this.writes = Objects.requireNonNull(writes, "request");
        this.random = random;
        int items = writes.transactItems().size();
        if (items == 0) {
            throw new IllegalArgumentException("A fenced transaction needs at least one item to write beside the check"
                    + " of the lock; there is none.");
        }
        if (items > MOST_ITEMS) {
            throw new IllegalArgumentException("A fenced transaction has room for " + MOST_ITEMS + " items, not for "
                    + items + ": DynamoDB takes 100, and one is the check of the lock. Write them in several"
                    + " transactions under the same lock.");
        }
    }

    /** @throws LockLostException if the handle is not valid any more */
    TransactWriteItemsRequest nextAttempt() {
        attempts++;
        List<TransactWriteItem> items = new ArrayList<>(writes.transactItems());
        // The check comes last, so that the reasons of a refusal have the same indexes as the caller's items.
        items.add(TransactWriteItem.builder().conditionCheck(handle.fence()).build());
        return writes.toBuilder().transactItems(items).build();
    }

    /**
     * How long to wait before the next attempt.
     *
     * @throws LockLostException if the lock was passed on
     * @throws TransactionCanceledException the refusal itself, if another attempt would not help
     */
    Duration pauseAfter(TransactionCanceledException refusal) {
        List<String> reasons = refusal.cancellationReasons().stream()
                .map(CancellationReason::code)
                .map(code -> Objects.requireNonNullElse(code, NONE))
                .toList();
        int indexOfCheck = writes.transactItems().size();
        String reasonOfCheck = indexOfCheck < reasons.size() ? reasons.get(indexOfCheck) : NONE;
        // While the handle is valid, the check may just be old: the item was written for this same holder, and the
        // answer to that write is on its way.
        if (reasonOfCheck.equals(CONDITION) && (!handle.isValid() || attempts >= MOST_ATTEMPTS)) {
            throw new LockLostException(
                    handle,
                    "was passed on before the transaction arrived: DynamoDB has refused all of it, nothing is written.",
                    refusal);
        }
        boolean onlyConflicts = reasons.stream().allMatch(code -> code.equals(NONE) || code.equals(CONFLICT));
        boolean isWorthRepeating = reasonOfCheck.equals(CONDITION) || reasonOfCheck.equals(CONFLICT) && onlyConflicts;
        if (!isWorthRepeating || attempts >= MOST_ATTEMPTS) {
            throw refusal;
        }
        return PAUSE.after(attempts, random.getAsDouble());
    }
}
