package io.dynamolock.spring.internal.persistence;

import org.hibernate.Session;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The persistence contexts that are bound to the current thread, by open-in-view or by a transaction. Loaded only with
 * Hibernate and Spring ORM.
 */
final class HibernateContexts {

    private HibernateContexts() {}

    /**
     * How many entities the contexts hold. Loads none, and makes no call to the database.
     *
     * @param butOfTransaction whether to leave out the contexts that take part in the current transaction
     */
    static int entities(boolean butOfTransaction) {
        int entities = 0;
        for (Object resource :
                TransactionSynchronizationManager.getResourceMap().values()) {
            if (resource instanceof EntityManagerHolder holder
                    && !(butOfTransaction && holder.isSynchronizedWithTransaction())) {
                entities += entities(holder);
            }
        }
        return entities;
    }

    private static int entities(EntityManagerHolder holder) {
        try {
            return holder.getEntityManager()
                    .unwrap(Session.class)
                    .getStatistics()
                    .getEntityCount();
        } catch (RuntimeException unknown) {
            // Of another provider, closed, or a session without a persistence context.
            return 0;
        }
    }
}
