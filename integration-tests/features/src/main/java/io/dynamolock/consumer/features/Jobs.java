package io.dynamolock.consumer.features;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLeader;
import io.dynamolock.spring.annotation.LeaderEvent;
import java.util.concurrent.CountDownLatch;
import net.javacrumbs.shedlock.core.LockAssert;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;
import org.springframework.stereotype.Component;

@Component
class Jobs {

    private final CountDownLatch elected = new CountDownLatch(1);
    private final LockRegistry locks;

    Jobs(LockRegistry locks) {
        this.locks = locks;
    }

    /** Tells whether the lock of the job is one of DynamoLock's. */
    @SchedulerLock(name = "nightly")
    public Boolean nightly() {
        LockAssert.assertLocked();
        return locks.admin().held().stream()
                .anyMatch(held -> held.key().equals("nightly") && held.namespace().equals("shedlock"));
    }

    public CountDownLatch elected() {
        return elected;
    }

    @DynamoLeader("outbox")
    void leaderChanged(LeaderEvent event) {
        elected.countDown();
    }
}
