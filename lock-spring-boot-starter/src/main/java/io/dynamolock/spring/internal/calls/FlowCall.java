package io.dynamolock.spring.internal.calls;

import kotlinx.coroutines.channels.BufferOverflow;
import kotlinx.coroutines.channels.Channel;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowKt;
import kotlinx.coroutines.reactive.ReactiveFlowKt;
import reactor.core.publisher.Flux;

/** The answer to the caller of a method that returns a {@code Flow} of Kotlin. Loaded only with Kotlin's coroutines. */
final class FlowCall {

    private FlowCall() {}

    /** Each collection takes the locks anew, and runs in the context of its collector. */
    static Flow<Object> flow(LockedCall call) {
        return (collector, continuation) -> {
            Flux<Object> locked = StreamCall.stream(call, () -> new CoroutineWork(call, continuation.getContext()));
            // A buffer without room asks for the next element only when the collector has handled the present element.
            // So the collector handles every element under the lock.
            return FlowKt.buffer(ReactiveFlowKt.asFlow(locked), Channel.RENDEZVOUS, BufferOverflow.SUSPEND)
                    .collect(collector, continuation);
        };
    }
}
