package io.dynamolock.chaos;

import io.dynamolock.chaos.Registers.Outcome;

/** One write to a register: the value it read before, and what became of it. */
final class RegisterWrite {

    final String value;
    final String attempt;
    final String register;
    final String base;
    /** Before it was sent. */
    final long sent;
    /** After the answer, or {@link Attempt#NONE} if the process did not live to see it. */
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

    /** From the read before it to its answer its writer was the holder. */
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
