package io.dynamolock;

import io.dynamolock.store.Holder;
import io.dynamolock.store.LockKey;
import io.dynamolock.store.QueueView;
import io.dynamolock.store.WaiterRow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts what the store reads into the words of users. */
final class Snapshots {

    private Snapshots() {}

    static LockSnapshot of(LockKey key, QueueView view) {
        long serving = view.lock().serving();
        Holder holder = view.lock().holder();
        List<LockSnapshot.Waiter> queue = new ArrayList<>();
        long position = 1;
        for (WaiterRow row : view.rows()) {
            // A row that was served already is about to be deleted; nobody waits there.
            if (row.last() > serving) {
                long callers = row.last() - row.first() + 1;
                queue.add(new LockSnapshot.Waiter(
                        position, callers, row.claimant().owner(), row.first(), row.last(), row.createdAt()));
                position += callers;
            }
        }
        return new LockSnapshot(
                key.key(),
                key.namespace(),
                Optional.ofNullable(holder).map(held -> new LockSnapshot.Holder(held.owner(), serving, held.since())),
                queue,
                view.complete());
    }
}
