package io.dynamolock.chaos;

import io.dynamolock.chaos.Registers.Outcome;

/** One write to a register: the value that was read before, and the outcome. */
final class RegisterWrite {

    final String value;
    final String attempt;
    final String register;
    final String base;
    /** A moment before the write was sent. */
    final long sent;
    /** A moment after the answer, or {@link Attempt#NONE} if the process ended before it. */
    long answered = Attempt.NONE;

    Outcome outcome = Outcome.UNKNOWN;
    String why = "-";
    /** The lock was still held after the answer. */
    boolean heldAfter;

    RegisterWrite(String value, String attempt, String register, String base, long sent) {
        this.value = value;
        this.attempt = attempt;
        this.register = register;
        this.base = base;
        this.sent = sent;
    }

    /** Whether the writer held the lock from its read to the answer. */
    boolean isClean() {
        return outcome == Outcome.LANDED && heldAfter;
    }

    boolean isFenced() {
        return register.startsWith(Registers.FENCED);
    }

    @Override
    public String toString() {
        return value + " on " + base + " (" + outcome + ", " + why + ", "
                + (heldAfter ? "lock held" : "lock not known to be held") + " at " + answered + ")";
    }
}
