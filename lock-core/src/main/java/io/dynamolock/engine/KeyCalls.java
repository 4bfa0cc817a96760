package io.dynamolock.engine;

import io.dynamolock.engine.StoreCalls.Lane;
import io.dynamolock.internal.engine.EventLoop;
import io.dynamolock.internal.protocol.Answer;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.StoreFailure;
import io.dynamolock.protocol.LockItem;
import io.dynamolock.protocol.Step;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The calls about one lock. Each answer is an event of its own, and its item is seen before anything is done with it. */
final class KeyCalls {

    /** Whom the calls tell. */
    interface Events {

        /** Each answer comes as an event, and so does each timer. */
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

    /** As below, for a write of which nobody needs to know that it failed or was given up. */
    void take(String operation, Supplier<Step> step, BooleanSupplier wanted, Consumer<Answer<LockItem>> answered) {
        take(operation, step, wanted, answered, failure -> {}, () -> {});
    }

    /**
     * Takes the step, again and again until it is answered or nobody wants it any more.
     *
     * @param step made anew for each attempt
     * @param failed told each time that it fails
     * @param dropped what happens instead of an answer if it is not wanted any more
     */
    void take(
            String operation,
            Supplier<Step> step,
            BooleanSupplier wanted,
            Consumer<Answer<LockItem>> answered,
            Consumer<StoreFailure> failed,
            Runnable dropped) {
        take(new Write(operation, step, wanted, answered, failed, dropped), 1);
    }

    private record Write(
            String operation,
            Supplier<Step> step,
            BooleanSupplier wanted,
            Consumer<Answer<LockItem>> answered,
            Consumer<StoreFailure> failed,
            Runnable dropped) {}

    private void take(Write write, int attempt) {
        Step step = write.step().get();
        long[] sentAt = new long[1];
        StoreCall<Answer<LockItem>> call = StoreCall.of(Lane.LOCK, write.operation(), () -> {
            sentAt[0] = outlook.sending();
            return context.store.take(key, step, context.time.now());
        });
        context.calls.send(
                call.onlyIf(write.wanted(), () -> events.on(write.dropped())),
                answer -> events.on(() -> {
                    events.seen(answer.item(), sentAt[0], true);
                    write.answered().accept(answer);
                }),
                failure -> events.on(() -> {
                    events.failed(failure);
                    write.failed().accept(failure);
                    if (write.wanted().getAsBoolean()) {
                        later(() -> take(write, attempt + 1), pause(step, failure, attempt));
                    } else {
                        write.dropped().run();
                    }
                }));
    }

    /** Everybody waits for what takes out the first. */
    private Duration pause(Step step, StoreFailure failure, int failures) {
        return step instanceof Step.Leave leave && leave.entries().containsKey(0)
                ? context.backoff.urgentDelay(failures, failure)
                : context.backoff.delay(failures, failure);
    }

    /** Looks once. */
    void look(boolean consistent, BooleanSupplier wanted, Runnable answered, Runnable failed) {
        long[] sentAt = new long[1];
        StoreCall<LockItem> call = StoreCall.of(Lane.LOCK, "look", () -> {
            sentAt[0] = outlook.sending();
            return context.store.look(key, consistent);
        });
        context.calls.send(
                call.onlyIf(wanted, () -> events.on(answered)),
                item -> events.on(() -> {
                    events.seen(item, sentAt[0], consistent);
                    answered.run();
                }),
                failure -> events.on(() -> {
                    events.failed(failure);
                    failed.run();
                }));
    }

    /** Runs the event later; the timer can be cancelled until then. */
    EventLoop.Timer later(Runnable event, Duration delay) {
        return context.loop.schedule(() -> events.on(event), delay);
    }
}
