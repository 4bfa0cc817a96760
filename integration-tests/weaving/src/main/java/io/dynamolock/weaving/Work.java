package io.dynamolock.weaving;

import java.util.concurrent.CompletableFuture;
import reactor.core.publisher.Mono;

/** What each way of weaving must lock. Each method gives the key of the lock that it runs under, or that there is none. */
public interface Work {

    /** Of a private method, called within the object. */
    String ofPrivateMethod(String key);

    /** Of a method of the class, called by another one of it. */
    String ofSelfCall(String key);

    String ofStaticMethod(String key);

    /** By an annotation of its own that bears the lock's. */
    String ofMetaAnnotation();

    /** How many locks. */
    int ofRepeatedAnnotation(String key);

    CompletableFuture<String> ofFuture(String key);

    Mono<String> ofStream(String key);

    /** Without an annotation. */
    String unlocked();

    /** Falls back where its lock is not free. */
    String withFallback(String key);
}
