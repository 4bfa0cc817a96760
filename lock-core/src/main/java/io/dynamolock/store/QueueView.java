package io.dynamolock.store;

import java.util.List;

/**
 * A lock and the front of its queue, from one strongly consistent read. Not a snapshot: each item is as fresh as the
 * read, but a write between two of them can show in one and not in the other.
 *
 * @param rows ascending by ticket
 * @param complete whether {@code rows} is the whole queue, not just its front
 */
public record QueueView(LockState lock, List<WaiterRow> rows, boolean complete) {

    public QueueView {
        rows = List.copyOf(rows);
    }
}
