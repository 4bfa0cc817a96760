package io.dynamolock.internal.protocol;

/**
 * Names one lock: what is locked, and for which purpose.
 *
 * @param key the locked entity, any Unicode
 * @param namespace keeps independent locks on the same entity apart; never contains a slash
 */
public record LockKey(String key, String namespace) {

    /** The namespace of the locks that elections are. */
    public static final String ELECTIONS = "leader";

    public boolean isOfElection() {
        return namespace.equals(ELECTIONS);
    }

    @Override
    public String toString() {
        return namespace + "/" + key;
    }
}
