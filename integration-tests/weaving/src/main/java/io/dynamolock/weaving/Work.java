package io.dynamolock.weaving;

import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/**
 * The methods that each way of weaving must lock. Each returns the key of the lock that it runs under, or says that
 * there is none.
 */
public interface Work {

    /** Calls a private method of the same object. */
    String ofPrivateMethod(String key);

    /** Calls a static method of the same class. */
    String ofSelfCall(String key);

    String ofStaticMethod(String key);

    /** Is locked by an annotation that is itself annotated with {@code @DynamoLocked}. */
    String ofMetaAnnotation();

    /** Returns how many locks it runs under. */
    int ofRepeatedAnnotation(String key);

    CompletableFuture<String> ofFuture(String key);

    Mono<String> ofStream(String key);

    /** Has no annotation. */
    String unlocked();

    /** Has a fallback for when its lock is not free. */
    String withFallback(String key);
}
