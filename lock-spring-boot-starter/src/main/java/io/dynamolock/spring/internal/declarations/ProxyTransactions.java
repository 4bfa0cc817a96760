package io.dynamolock.spring.internal.declarations;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;

/** Transactions of Spring's proxies, which lie around the object, and so around a woven lock. Not to be touched where there are none. */
final class ProxyTransactions {

    private ProxyTransactions() {}

    /** Whether a proxy may call the method in a transaction. Calls of private and static methods pass none. */
    static boolean isTransactional(Method method) {
        TransactionDefinition transaction = new AnnotationTransactionAttributeSource(false)
                .getTransactionAttribute(method, method.getDeclaringClass());
        return transaction != null
                && transaction.getPropagationBehavior() != TransactionDefinition.PROPAGATION_NOT_SUPPORTED
                && transaction.getPropagationBehavior() != TransactionDefinition.PROPAGATION_NEVER
                && (method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC)) == 0;
    }
}
