package io.dynamolock.internal.protocol;

/**
 * Identifies one lock.
 *
 * @param key the locked entity; any Unicode text
 * @param namespace distinguishes independent locks on the same entity; contains no slash
 */
public record LockKey(String key, String namespace) {

    /** The namespace of leader elections, each of which is a lock. */
    public static final String ELECTIONS = "leader";

    /** Whether this is the lock of a leader election. */
    public boolean isOfElection() {
        return namespace.equals(ELECTIONS);
    }

    @Override
    public String toString() {
        return namespace + "/" + key;
    }
}
