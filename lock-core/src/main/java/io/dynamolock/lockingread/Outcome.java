package io.dynamolock.lockingread;

import java.time.Duration;

/** How a try to lock an item ended, if it did not fail. */
sealed interface Outcome {

    record Granted(Grant grant) implements Outcome {}

    /** To be tried again after this time. */
    record Pause(Duration length) implements Outcome {}

    /** The wait is over. */
    record GaveUp(ItemLockedException busy) implements Outcome {}
}
