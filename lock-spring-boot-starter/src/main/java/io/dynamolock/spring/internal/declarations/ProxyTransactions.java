package io.dynamolock.spring.internal.declarations;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;

/** Transactions that Spring's proxies open, outside of woven locks. Loaded only with Spring's transactions. */
final class ProxyTransactions {

    private ProxyTransactions() {}

    /**
     * Whether a proxy may call the method in a transaction. Private and static methods are not called through proxies.
     */
    static boolean isTransactional(Method method) {
        TransactionDefinition transaction = new AnnotationTransactionAttributeSource(false)
                .getTransactionAttribute(method, method.getDeclaringClass());
        return transaction != null
                && transaction.getPropagationBehavior() != TransactionDefinition.PROPAGATION_NOT_SUPPORTED
                && transaction.getPropagationBehavior() != TransactionDefinition.PROPAGATION_NEVER
                && (method.getModifiers() & (Modifier.PRIVATE | Modifier.STATIC)) == 0;
    }
}
