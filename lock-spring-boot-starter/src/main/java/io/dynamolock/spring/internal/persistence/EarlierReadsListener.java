package io.dynamolock.spring.internal.persistence;

/**
 * Hears of each lock that a call was granted, or refused, on a thread that may have read before, unless such calls are
 * ignored. Only for the auto-configuration: the aspect takes the bean of this type, if there is a single one.
 */
@FunctionalInterface
public interface EarlierReadsListener {

    /**
     * Called on the thread of the call, before the method is entered; must neither block nor throw.
     *
     * @param lockName the name of the lock, also if its method was logged before
     */
    void mayHaveRead(String lockName);
}
