package io.dynamolock.protocol;

import io.dynamolock.data.LockData;
import java.util.ArrayList;
import java.util.List;

/** What a step changes in a lock's item, if its conditions hold. */
public sealed interface Change {

    LockItem on(LockItem item);

    /** Issues tickets; the first of a new item is the one after {@code base}. */
    record Issue(int tickets, long base) implements Change {

        @Override
        public LockItem on(LockItem item) {
            return item.with((item.exists() ? item.tail() : base) + tickets, item.queue());
        }
    }

    /** Puts the entry at the end of the queue. */
    record Append(Entry entry) implements Change {

        @Override
        public LockItem on(LockItem item) {
            List<Entry> queue = new ArrayList<>(item.queue());
            queue.add(entry);
            return item.with(item.tail(), queue);
        }
    }

    /** Puts the entry in the place of the one that stands there. */
    record Replace(int index, Entry entry) implements Change {

        @Override
        public LockItem on(LockItem item) {
            List<Entry> queue = new ArrayList<>(item.queue());
            queue.set(index, entry);
            return item.with(item.tail(), queue);
        }
    }

    /** Takes out what stands at this place before the step. */
    record Remove(int index) implements Change {

        @Override
        public LockItem on(LockItem item) {
            List<Entry> queue = new ArrayList<>(item.queue());
            queue.remove(index);
            return item.with(item.tail(), queue);
        }
    }

    /** Says how many permits the lock has. */
    record Permits(int permits) implements Change {

        @Override
        public LockItem on(LockItem item) {
            return new LockItem(item.tail(), item.queue(), permits, item.data(), item.puts());
        }
    }

    /** Replaces the user's data. */
    record SetData(LockData data) implements Change {

        @Override
        public LockItem on(LockItem item) {
            return new LockItem(item.tail(), item.queue(), item.permits(), data, item.puts() + 1);
        }
    }
}
