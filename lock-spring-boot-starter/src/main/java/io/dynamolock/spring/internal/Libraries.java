package io.dynamolock.spring.internal;

import org.springframework.util.ClassUtils;

/**
 * Which optional libraries are on the class path. Only classes that are loaded after such a check use types of these
 * libraries.
 */
public final class Libraries {

    public static final boolean REACTOR = has("reactor.core.publisher.Flux");

    /** Kotlin's coroutines, with the bridge to Reactor by which Spring's proxies understand them. */
    public static final boolean COROUTINES = REACTOR && has("kotlinx.coroutines.reactor.MonoKt");

    public static final boolean CONTEXT_PROPAGATION = has("io.micrometer.context.ContextSnapshotFactory");

    public static final boolean TRANSACTIONS =
            has("org.springframework.transaction.support.TransactionSynchronizationManager");

    /** Hibernate, with Spring's support for it. */
    public static final boolean HIBERNATE =
            TRANSACTIONS && has("org.springframework.orm.jpa.EntityManagerHolder") && has("org.hibernate.Session");

    private Libraries() {}

    private static boolean has(String type) {
        return ClassUtils.isPresent(type, Libraries.class.getClassLoader());
    }
}
