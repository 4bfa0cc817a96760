package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A call to the store.
 *
 * @param operation its name, for people
 * @param timeout when its answer must be there, counted from the sending; {@code null} for the usual time
 * @param wanted if it is not, when there is room to send it, it is not sent
 * @param dropped runs instead, as an event of its own
 * @param forPeople whether it is sent also while the engine is paused
 */
record StoreCall<T>(
        Lane lane,
        String operation,
        Supplier<CompletionStage<T>> sending,
        @Nullable Duration timeout,
        BooleanSupplier wanted,
        Runnable dropped,
        boolean forPeople) {

    static <T> StoreCall<T> of(Lane lane, String operation, Supplier<CompletionStage<T>> sending) {
        return new StoreCall<>(lane, operation, sending, null, () -> true, () -> {}, false);
    }

    StoreCall<T> within(Duration time) {
        return new StoreCall<>(lane, operation, sending, time, wanted, dropped, forPeople);
    }

    StoreCall<T> onlyIf(BooleanSupplier isWanted, Runnable otherwise) {
        return new StoreCall<>(lane, operation, sending, timeout, isWanted, otherwise, forPeople);
    }

    /** Somebody has asked for this very call. */
    StoreCall<T> whoeverIsPaused() {
        return new StoreCall<>(lane, operation, sending, timeout, wanted, dropped, true);
    }
}
