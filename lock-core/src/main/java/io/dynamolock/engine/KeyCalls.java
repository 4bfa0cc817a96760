package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.protocol.Answer;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.LockKey;
import io.dynamolock.protocol.Step;
import io.dynamolock.store.StoreFailure;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** The calls about one lock. Each answer is an event of its own, and its item is seen before anything is done with it. */
final class KeyCalls {

    /** What all events of a lock go through. */
    interface Events {

        void on(Runnable event);

        /** @param sentAt when the call was sent, in the order of {@link Outlook#next()} */
        void seen(LockItem item, long sentAt, boolean consistent);

        void failed(StoreFailure failure);
    }

    private final LockKey key;
    private final EngineContext context;
    private final Outlook outlook;
    private final Events events;

    KeyCalls(LockKey key, EngineContext context, Outlook outlook, Events events) {
        this.key = key;
        this.context = context;
        this.outlook = outlook;
        this.events = events;
    }

    LockKey key() {
        return key;
    }

    /**
     * @param wanted whether the answer still matters
     * @param dropped what happens instead if it does not matter any more when the step could be sent
     */
    void take(
            String operation,
            Step step,
            BooleanSupplier wanted,
            Consumer<Answer<LockItem>> answered,
            Consumer<StoreFailure> failed,
            Runnable dropped) {
        long[] sentAt = new long[1];
        StoreCall<Answer<LockItem>> call = StoreCall.of(Lane.LOCK, operation, () -> {
            sentAt[0] = outlook.sending();
            return context.store.take(key, step, context.time.now());
        });
        context.calls.send(
                call.onlyIf(wanted, () -> events.on(dropped)),
                answer -> events.on(() -> {
                    events.seen(answer.item(), sentAt[0], true);
                    answered.accept(answer);
                }),
                failure -> events.on(() -> {
                    events.failed(failure);
                    failed.accept(failure);
                }));
    }

    void look(boolean consistent, BooleanSupplier wanted, Runnable answered, Consumer<StoreFailure> failed) {
        long[] sentAt = new long[1];
        StoreCall<LockItem> call = StoreCall.of(Lane.LOCK, "look", () -> {
            sentAt[0] = outlook.sending();
            return context.store.look(key, consistent);
        });
        context.calls.send(
                call.onlyIf(wanted, () -> events.on(answered)),
                item -> events.on(() -> {
                    answered.run();
                    events.seen(item, sentAt[0], consistent);
                }),
                failure -> events.on(() -> {
                    events.failed(failure);
                    failed.accept(failure);
                }));
    }

    /** Runs the event later; the timer can be cancelled until then. */
    EventLoop.Timer later(Runnable event, Duration delay) {
        return context.loop.schedule(() -> events.on(event), delay);
    }
}
