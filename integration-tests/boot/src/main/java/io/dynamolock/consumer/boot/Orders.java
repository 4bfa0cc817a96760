package io.dynamolock.consumer.boot;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import org.springframework.stereotype.Service;

@Service
class Orders {

    private final LockRegistry locks;

    Orders(LockRegistry locks) {
        this.locks = locks;
    }

    /** Whether the lock is held while the method runs. */
    @DynamoLocked(key = "'customer:' + #customer", waitTime = "30s")
    public boolean place(String customer) {
        return locks.admin().held().stream().anyMatch(held -> held.key().equals("customer:" + customer));
    }
}
