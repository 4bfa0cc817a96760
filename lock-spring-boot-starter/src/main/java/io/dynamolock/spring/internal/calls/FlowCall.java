package io.dynamolock.spring.internal.calls;

import kotlinx.coroutines.channels.BufferOverflow;
import kotlinx.coroutines.channels.Channel;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowKt;
import kotlinx.coroutines.reactive.ReactiveFlowKt;
import reactor.core.publisher.Flux;

/** What the caller of a method gets that returns a {@code Flow} of Kotlin. Not to be touched without Kotlin's coroutines. */
final class FlowCall {

    private FlowCall() {}

    /** Each collection is under locks of its own, and runs in the context of its collector. */
    static Flow<Object> begin(LockedCall call) {
        return (collector, continuation) -> {
            Flux<Object> locked = StreamCall.stream(call, () -> new CoroutineWork(call, continuation.getContext()));
            // The next element is asked for when the collector has done with the last one: all of them are its under
            // the lock.
            return FlowKt.buffer(ReactiveFlowKt.asFlow(locked), Channel.RENDEZVOUS, BufferOverflow.SUSPEND)
                    .collect(collector, continuation);
        };
    }
}
