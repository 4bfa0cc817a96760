package io.dynamolock.internal.store.testing;

import io.dynamolock.internal.store.StoreFailure;

/** What becomes of a call to a {@link FaultyLockStore}. */
public enum Fault {
    /** No effect; answered by {@link StoreFailure.Kind#REFUSED}. */
    REFUSED(StoreFailure.Kind.REFUSED),
    /** No effect; answered by {@link StoreFailure.Kind#UNAVAILABLE}: the request was lost. */
    LOST_REQUEST(StoreFailure.Kind.UNAVAILABLE),
    /** Takes effect; answered by {@link StoreFailure.Kind#UNAVAILABLE}: the answer was lost. */
    LOST_ANSWER(StoreFailure.Kind.UNAVAILABLE),
    /** No effect and no answer yet: both happen on {@link FaultyLockStore#resume()}. */
    STALLS(StoreFailure.Kind.UNAVAILABLE),
    /** Takes effect at once; answered on {@link FaultyLockStore#resume()}. */
    SLOW_ANSWER(StoreFailure.Kind.UNAVAILABLE);

    private final StoreFailure.Kind kind;

    Fault(StoreFailure.Kind kind) {
        this.kind = kind;
    }

    StoreFailure failure(StoreOperation operation) {
        return new StoreFailure(kind, "injected: " + operation + " " + this, null);
    }
}
