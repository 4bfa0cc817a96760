package io.dynamolock.weaving;

import io.dynamolock.spring.CurrentLock;
import io.dynamolock.spring.DynamoLocked;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Woven when it is loaded, by an annotation of its class that bears the lock's. */
@AtLoadTimeByItsClass.Locked
class AtLoadTimeByItsClass {

    @Retention(RetentionPolicy.RUNTIME)
    @DynamoLocked(key = "'by its class'")
    @interface Locked {}

    public int locks() {
        return CurrentLock.all().size();
    }
}
