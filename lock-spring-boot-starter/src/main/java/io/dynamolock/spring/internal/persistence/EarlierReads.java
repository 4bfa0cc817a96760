package io.dynamolock.spring.internal.persistence;

import org.jspecify.annotations.Nullable;

/**
 * What a thread may have read before it was granted a lock, and what the locked method will see instead of the present.
 *
 * @param entities how many entities the persistence contexts of the thread hold
 * @param inTransaction whether the method will work in a transaction that was under way before
 * @param isolation the isolation of that transaction, if it lets the transaction see an old snapshot
 */
record EarlierReads(
        int entities, boolean inTransaction, @Nullable String isolation) {

    static final EarlierReads NONE = new EarlierReads(0, false, null);

    boolean areNone() {
        return entities == 0 && isolation == null;
    }

    /** A sentence without its subject, the method. */
    String problem() {
        String held = "the persistence context of its thread already held " + entities
                + (entities == 1 ? " entity" : " entities");
        String snapshot = "a transaction with the isolation " + isolation
                + ", and perhaps an older snapshot, was already under way";
        String what = isolation == null ? held : entities == 0 ? snapshot : held + ", and " + snapshot;
        return "may see what was true before it had its lock, and overwrite what others have written since: " + what
                + ".";
    }

    String remedy() {
        if (isolation != null) {
            return "Begin the transaction inside the locked method, by @Transactional on the method and none around its"
                    + " calls, or use READ_COMMITTED and read only inside.";
        }
        String where = inTransaction
                ? "begin the transaction inside the locked method, by @Transactional on the method and none around its"
                        + " calls"
                : "set spring.jpa.open-in-view=false";
        return "Read entities only inside the locked method, or refresh() them there, or " + where + ".";
    }
}
