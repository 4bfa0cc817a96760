package io.dynamolock.test.slice;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.annotation.DynamoLocked;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Locks in each of the ways there are. */
@Service
class Orders {

    private final LockRegistry locks;
    private final Shelf shelf;

    Orders(LockRegistry locks, Shelf shelf) {
        this.locks = locks;
        this.shelf = shelf;
    }

    @DynamoLocked(key = "'order:' + #id", waitTime = "1h")
    public String place(String id) {
        return shelf.take(id);
    }

    @DynamoLocked(key = "'order:' + #id", waitTime = "1h")
    public CompletableFuture<String> placeLater(String id) {
        return CompletableFuture.supplyAsync(() -> shelf.take(id));
    }

    @DynamoLocked(key = "'order:' + #id", waitTime = "1h")
    public Mono<String> placeReactively(String id) {
        return Mono.fromSupplier(() -> shelf.take(id));
    }

    @DynamoLocked(key = "'order:' + #id", condition = "#id != 'free'", waitTime = "1h")
    public String placeUnlessFree(String id) {
        return id;
    }

    /** Passes no proxy. */
    public String placeByItself(String id) {
        return place(id);
    }

    public String placeByRegistry(String id) {
        return locks.withLock(
                LockRequest.of("order:" + id).waitTime(Duration.ofHours(1)).name("Orders.placeByRegistry"),
                lock -> shelf.take(id));
    }
}
