package io.dynamolock.spring.internal.persistence;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/** The transaction of the current thread, begun before its lock was granted. Loaded only with Spring's transactions. */
final class CallersTransaction {

    /** Remembers what it has read for each method, so it holds as much as there are locked methods. */
    private static final AnnotationTransactionAttributeSource ATTRIBUTES =
            new AnnotationTransactionAttributeSource(false);

    private CallersTransaction() {}

    static boolean isActive() {
        return TransactionSynchronizationManager.isActualTransactionActive();
    }

    /**
     * The isolation of the transaction, if the transaction may see a snapshot that is older than the lock. Null for
     * another isolation, and for the database's default, which Spring does not know.
     */
    static @Nullable String isolationOfSnapshot() {
        Integer level = isActive() ? TransactionSynchronizationManager.getCurrentTransactionIsolationLevel() : null;
        if (level == null) {
            return null;
        }
        return switch (level) {
            case TransactionDefinition.ISOLATION_REPEATABLE_READ -> "REPEATABLE_READ";
            case TransactionDefinition.ISOLATION_SERIALIZABLE -> "SERIALIZABLE";
            default -> null;
        };
    }

    /**
     * Whether the called method suspends the transaction, so that it sees neither the snapshot nor the persistence
     * context of the transaction. False if in doubt: for a woven method, which may be called without the proxy that
     * would suspend the transaction; with a transaction manager of its own, which would leave the others alone; and if
     * the transaction is the method's own, because the lock was moved inside.
     */
    static boolean isSuspendedBy(MethodInvocation call) {
        Object target = call.getThis();
        if (!isActive() || target == null || !(call instanceof ProxyMethodInvocation)) {
            return false;
        }
        Class<?> type = AopUtils.getTargetClass(target);
        TransactionAttribute own = ATTRIBUTES.getTransactionAttribute(call.getMethod(), type);
        boolean suspends = own != null
                && (own.getPropagationBehavior() == TransactionDefinition.PROPAGATION_REQUIRES_NEW
                        || own.getPropagationBehavior() == TransactionDefinition.PROPAGATION_NOT_SUPPORTED)
                && !StringUtils.hasText(own.getQualifier());
        // Spring gives a transaction the name of the method that begins it.
        return suspends
                && !ClassUtils.getQualifiedMethodName(call.getMethod(), type)
                        .equals(TransactionSynchronizationManager.getCurrentTransactionName());
    }
}
