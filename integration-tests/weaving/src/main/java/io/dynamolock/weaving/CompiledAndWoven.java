package io.dynamolock.weaving;

import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.annotation.CurrentLock;
import io.dynamolock.spring.annotation.DynamoLocked;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/** A class that is woven when it is compiled. */
@SuppressWarnings("unused") // Called by the aspect only.
public final class CompiledAndWoven implements Work {

    @Retention(RetentionPolicy.RUNTIME)
    @DynamoLocked(key = "'meta'")
    @interface Locked {}

    @Override
    public String ofPrivateMethod(String key) {
        return privately(key);
    }

    @DynamoLocked(key = "#key")
    private String privately(String key) {
        return current();
    }

    @Override
    public String ofSelfCall(String key) {
        return itself(key);
    }

    @DynamoLocked(key = "#key")
    String itself(String key) {
        return current();
    }

    @Override
    public String ofStaticMethod(String key) {
        return statically(key);
    }

    @DynamoLocked(key = "#key")
    private static String statically(String key) {
        return current();
    }

    @Override
    @Locked
    public String ofMetaAnnotation() {
        return current();
    }

    @Override
    @DynamoLocked(key = "#key")
    @DynamoLocked(key = "#key", namespace = "second")
    public int ofRepeatedAnnotation(String key) {
        return CurrentLock.all().size();
    }

    @Override
    @DynamoLocked(key = "#key")
    public CompletableFuture<String> ofFuture(String key) {
        return CompletableFuture.completedFuture(current());
    }

    @Override
    @DynamoLocked(key = "#key")
    public Mono<String> ofStream(String key) {
        return Mono.deferContextual(
                context -> Mono.just(CurrentLock.of(context).handle().key()));
    }

    @Override
    public String unlocked() {
        return current();
    }

    @Override
    @DynamoLocked(key = "#key", waitTime = "0", fallbackMethod = "instead")
    public String withFallback(String key) {
        return current();
    }

    private String instead(String key, LockTimeoutException timeout) {
        return "instead of " + timeout.key();
    }

    private static String current() {
        return CurrentLock.all().isEmpty()
                ? "no lock"
                : CurrentLock.get().handle().key();
    }
}
