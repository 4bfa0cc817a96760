package io.dynamolock.simulation;

import org.jspecify.annotations.Nullable;

/** Keeps the first broken promise. */
final class Promises {

    private final History history;
    private @Nullable String violation;

    Promises(History history) {
        this.history = history;
    }

    void broken(String promise) {
        if (violation == null) {
            violation = promise;
            history.add("!!!", promise);
        }
    }

    /** @param promise what is broken if the condition does not hold */
    void check(boolean kept, String promise) {
        if (!kept) {
            broken(promise);
        }
    }

    boolean areKept() {
        return violation == null;
    }

    @Nullable
    String violation() {
        return violation;
    }
}
