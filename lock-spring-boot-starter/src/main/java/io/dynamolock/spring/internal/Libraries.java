package io.dynamolock.spring.internal;

import org.springframework.util.ClassUtils;

/** Which of the libraries are there that an application may leave out. Their types are touched by classes of their own. */
public final class Libraries {

    public static final boolean REACTOR = has("reactor.core.publisher.Flux");

    /** Kotlin's coroutines as Spring's proxies understand them. */
    public static final boolean COROUTINES = REACTOR && has("kotlinx.coroutines.reactor.MonoKt");

    public static final boolean CONTEXT_PROPAGATION = has("io.micrometer.context.ContextSnapshotFactory");

    public static final boolean TRANSACTIONS =
            has("org.springframework.transaction.support.TransactionSynchronizationManager");

    private Libraries() {}

    private static boolean has(String type) {
        return ClassUtils.isPresent(type, Libraries.class.getClassLoader());
    }
}
