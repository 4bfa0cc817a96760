package io.dynamolock.consumer.features;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.CurrentLock;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnTimeout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.Retryable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

/** Each method tells whether its lock is held while it runs. */
@Service
class Orders {

    private final LockRegistry locks;
    private final List<Long> attempts = new ArrayList<>();

    Orders(LockRegistry locks) {
        this.locks = locks;
    }

    private boolean isLocked(String customer) {
        return locks.admin().held().stream().anyMatch(held -> held.key().equals("customer:" + customer));
    }

    @DynamoLocked(key = "'customer:' + #customer", waitTime = "30s")
    public boolean place(String customer) {
        return isLocked(customer);
    }

    @DynamoLocked(key = "'customer:' + #customer", waitTime = "30s")
    public CompletableFuture<Boolean> placeLater(String customer) {
        return CompletableFuture.supplyAsync(() -> isLocked(customer));
    }

    @DynamoLocked(key = "'customer:' + #customer", waitTime = "30s")
    public Mono<Boolean> placeReactively(String customer) {
        return Mono.fromSupplier(() -> isLocked(customer));
    }

    @Transactional
    @DynamoLocked(key = "'customer:' + #customer", waitTime = "30s")
    public boolean placeInTransaction(String customer) {
        return isLocked(customer);
    }

    @DynamoLocked(key = "'customer:' + #customer", waitTime = "0", onTimeout = OnTimeout.SKIP)
    public String placeOrSkip(String customer) {
        return customer;
    }

    /** The fencing tokens of the three attempts, which differ if each attempt had a lock of its own. */
    @Retryable(maxAttempts = 3, backoff = @Backoff(delay = 1))
    @DynamoLocked(key = "'customer:' + #customer", waitTime = "30s")
    public List<Long> placeAtTheThirdAttempt(String customer) {
        attempts.add(CurrentLock.get().handle().fencingToken());
        if (attempts.size() < 3) {
            throw new IllegalStateException("not yet");
        }
        return attempts;
    }
}
