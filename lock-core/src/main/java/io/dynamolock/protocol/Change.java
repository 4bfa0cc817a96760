package io.dynamolock.protocol;

import java.util.ArrayList;
import java.util.List;

/** What a step changes in a lock's item, if its conditions hold. */
public sealed interface Change {

    LockItem on(LockItem item);

    /** Issues tickets; the first of a new item is the one after {@code base}. */
    record Issue(int tickets, long base) implements Change {

        @Override
        public LockItem on(LockItem item) {
            return new LockItem((item.tail() == 0 ? base : item.tail()) + tickets, item.queue(), item.permits());
        }
    }

    /** Puts the entry at the end of the queue. */
    record Append(Entry entry) implements Change {

        @Override
        public LockItem on(LockItem item) {
            List<Entry> queue = new ArrayList<>(item.queue());
            queue.add(entry);
            return new LockItem(item.tail(), queue, item.permits());
        }
    }

    /** Puts the entry in the place of the one that stands there. */
    record Replace(int index, Entry entry) implements Change {

        @Override
        public LockItem on(LockItem item) {
            List<Entry> queue = new ArrayList<>(item.queue());
            queue.set(index, entry);
            return new LockItem(item.tail(), queue, item.permits());
        }
    }

    /** Takes out what stands at this place before the step. */
    record Remove(int index) implements Change {

        @Override
        public LockItem on(LockItem item) {
            List<Entry> queue = new ArrayList<>(item.queue());
            queue.remove(index);
            return new LockItem(item.tail(), queue, item.permits());
        }
    }

    /** Says how many permits the lock has. */
    record Permits(int permits) implements Change {

        @Override
        public LockItem on(LockItem item) {
            return new LockItem(item.tail(), item.queue(), permits);
        }
    }
}
