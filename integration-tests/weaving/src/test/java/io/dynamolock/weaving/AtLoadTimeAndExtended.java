package io.dynamolock.weaving;

import io.dynamolock.spring.annotation.CurrentLock;
import io.dynamolock.spring.annotation.DynamoLocked;

/** A class that is woven when it is loaded, with a subclass that is not woven. */
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
