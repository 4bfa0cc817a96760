package io.dynamolock.spring.autoconfigure;

import java.net.URI;

/**
 * A DynamoDB inside this process, as a bean: keeps the locks with {@code dynamolock.store=embedded}. The module {@code
 * lock-spring-boot-test} has such a bean. Implementations are asked by the thread that starts the application.
 */
public interface EmbeddedStore {

    /**
     * The full address on this machine, such as {@code http://localhost:8000}. The store takes any region and
     * credentials.
     */
    URI endpoint();
}
