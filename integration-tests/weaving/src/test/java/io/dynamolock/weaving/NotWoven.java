package io.dynamolock.weaving;

import io.dynamolock.spring.annotation.DynamoLocked;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Locked methods that no weaver sees: the class is not named in the aop.xml. */
final class NotWoven {

    private NotWoven() {}

    /** Not named in the aop.xml, either. */
    static class LeftOut {

        @DynamoLocked(key = "'k'")
        public void run() {}
    }

    static class Extending extends AtLoadTimeAndExtended {

        @Override
        public int locks() {
            return super.locks();
        }
    }

    interface Shop {

        @DynamoLocked(key = "'k'")
        void run();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DynamoLocked(key = "'k'")
    @interface Locked {}

    @Retention(RetentionPolicy.RUNTIME)
    @Locked
    @interface LockedTwiceRemoved {}
}
