package io.dynamolock.weaving;

import io.dynamolock.spring.CurrentLock;
import io.dynamolock.spring.DynamoLocked;

/** Woven when it is loaded, and extended by a class that is not. */
class AtLoadTimeAndExtended {

    @DynamoLocked(key = "'overridden'")
    public int locks() {
        return CurrentLock.all().size();
    }

    @DynamoLocked(key = "'inherited'")
    public int locksOfAnother() {
        return CurrentLock.all().size();
    }
}
