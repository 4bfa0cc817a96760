package io.dynamolock.internal.protocol;

import java.time.Duration;

/** What the rules assume of clocks, those for sessions as well as those for locking reads. */
public final class Clocks {

    /**
     * How far a right clock may be off. Two clocks tell the time, the store's and this machine's wall clock; the rules
     * hold if one of the two is right, whatever the other one says.
     */
    public static final Duration BOUND = Duration.ofSeconds(5);

    /**
     * How fast any clock may be slewed: by a twelfth, the default of chrony. A process counts its own session as over
     * when 11/12 of the lease have passed, which takes one lease by a clock that is a twelfth slow. Others leave the
     * session alone for at least 13/12 of the lease, which takes one lease by a clock that is a twelfth fast. The lease
     * is the session's own, as the item shows it, so no process depends on the settings of another.
     */
    public static final int SLEW = 12;

    private Clocks() {}
}
