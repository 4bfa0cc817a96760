package io.dynamolock.protocol;

/** What must be so in a lock's item for a step to change it. */
public sealed interface Condition {

    boolean holds(LockItem item);

    /** This very entry stands at this place. */
    record EntryAt(int index, Entry entry) implements Condition {

        @Override
        public boolean holds(LockItem item) {
            return index < item.queue().size() && item.queue().get(index).equals(entry);
        }
    }

    /** Nobody stands at this place or behind it. */
    record NobodyAt(int index) implements Condition {

        @Override
        public boolean holds(LockItem item) {
            return item.queue().size() <= index;
        }
    }

    /** This very entry stands nowhere. */
    record Missing(Entry entry) implements Condition {

        @Override
        public boolean holds(LockItem item) {
            return !item.queue().contains(entry);
        }
    }

    /** The lock has so many permits, or nobody has said yet how many. */
    record PermitsAre(int permits) implements Condition {

        @Override
        public boolean holds(LockItem item) {
            return item.permits() == 0 || item.permits() == permits;
        }
    }

    /** The lock has not so many permits. */
    record PermitsAreNot(int permits) implements Condition {

        @Override
        public boolean holds(LockItem item) {
            return item.permits() != permits;
        }
    }

    /** The lock has an item. */
    record Exists() implements Condition {

        @Override
        public boolean holds(LockItem item) {
            return item.exists();
        }
    }

    /** The user's data was written so often, and not since. */
    record PutsAre(long puts) implements Condition {

        @Override
        public boolean holds(LockItem item) {
            return item.puts() == puts;
        }
    }
}
