package io.dynamolock.spring;

import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.channels.BufferOverflow;
import kotlinx.coroutines.channels.Channel;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowCollector;
import kotlinx.coroutines.flow.FlowKt;
import kotlinx.coroutines.reactive.ReactiveFlowKt;
import kotlinx.coroutines.reactor.ReactorFlowKt;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;

/**
 * A flow of Kotlin each of whose collections is under a lock of its own, and runs in the context of its collector. Not to be
 * touched without Kotlin's coroutines.
 */
final class KotlinFlow implements Flow<Object> {

    private final LockedCall call;

    KotlinFlow(LockedCall call) {
        this.call = call;
    }

    static boolean isDeclared(Class<?> type) {
        return type == Flow.class;
    }

    @Override
    public @Nullable Object collect(FlowCollector<? super Object> collector, Continuation<? super Unit> continuation) {
        CoroutineContext context = continuation.getContext().minusKey(Job.Key);
        LockedFlux<Object> locked = new LockedFlux<>(call, () -> new Collection(context), false);
        // Asks for the next element when the collector has done with the last one, so that it has all of them under the
        // lock.
        Flow<Object> oneByOne =
                FlowKt.buffer(ReactiveFlowKt.asFlow(locked), Channel.RENDEZVOUS, BufferOverflow.SUSPEND);
        return oneByOne.collect(collector, continuation);
    }

    private final class Collection implements StreamWork<Object> {

        private final CoroutineEnd end = new CoroutineEnd();
        private final CoroutineContext context;

        Collection(CoroutineContext context) {
            this.context = context.plus(end);
        }

        @Override
        @SuppressWarnings("unchecked")
        public Publisher<Object> begin(MethodBody body) {
            Object flow = StreamCall.run(body);
            if (flow == null) {
                throw new IllegalStateException(
                        "@DynamoLocked on " + call.method().description() + ": it returned null instead of a Flow.");
            }
            return ReactorFlowKt.asFlux((Flow<Object>) flow, context);
        }

        @Override
        public void whenCancelled(Runnable leaving) {
            end.await(leaving);
        }
    }
}
