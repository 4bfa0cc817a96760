package io.dynamolock.spring;

import java.util.function.Supplier;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/** A stream each of whose subscriptions is under a lock of its own. Immutable. */
final class LockedFlux<T> extends Flux<T> {

    private final LockedCall call;
    private final Supplier<? extends StreamWork<T>> work;
    private final boolean single;

    /**
     * @param work asked once for each subscription
     * @param single whether it has one element at most, which is then its result: it is passed on when the lock is released
     */
    LockedFlux(LockedCall call, Supplier<? extends StreamWork<T>> work, boolean single) {
        this.call = call;
        this.work = work;
        this.single = single;
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        // A loss comes by a thread of its own, perhaps beside an element.
        new LockedSubscription<>(call, work.get(), single, Operators.serialize(actual)).begin();
    }
}
