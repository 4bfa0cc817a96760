package io.dynamolock.internal.handles;

import io.dynamolock.internal.text.PersonalText;

/**
 * A hold of this process that kept a caller of the same process from its lock, so that the caller may have stood in its
 * own way.
 *
 * @param isOfThisThread whether the thread that asked has acquired the lock itself, by a handle
 * @param caller who holds the lock: as a rule, the name of a thread
 */
public record HoldHere(boolean isOfThisThread, String caller) {

    /** Sentences for the end of a message. */
    String inWords() {
        return isOfThisThread
                ? " This very thread has acquired it before and not released it yet: it stands in its own way, unless"
                        + " another thread was to release it. Release it first, or enter the lock by"
                        + " LockRegistry.lock() in the first place."
                : " This very process holds it, for " + PersonalText.quoted(caller)
                        + ". If that one waits for this caller, as"
                        + " in a parallelStream() or a join(), this caller has waited for its own caller, and no wait is"
                        + " long enough: take the lock in one of the two only.";
    }
}
