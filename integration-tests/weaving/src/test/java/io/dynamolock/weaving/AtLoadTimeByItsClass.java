package io.dynamolock.weaving;

import io.dynamolock.spring.annotation.CurrentLock;
import io.dynamolock.spring.annotation.DynamoLocked;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * A class that is woven when it is loaded, because of an annotation of the class that is itself annotated with {@code
 * @DynamoLocked}.
 */
@AtLoadTimeByItsClass.Locked
class AtLoadTimeByItsClass {

    @Retention(RetentionPolicy.RUNTIME)
    @DynamoLocked(key = "'by its class'")
    @interface Locked {}

    public int locks() {
        return CurrentLock.all().size();
    }
}
