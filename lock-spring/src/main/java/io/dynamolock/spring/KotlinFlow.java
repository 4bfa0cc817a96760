package io.dynamolock.spring;

import kotlin.Unit;
import kotlin.coroutines.Continuation;
import kotlin.coroutines.CoroutineContext;
import kotlinx.coroutines.Job;
import kotlinx.coroutines.flow.Flow;
import kotlinx.coroutines.flow.FlowCollector;
import kotlinx.coroutines.reactive.ReactiveFlowKt;
import kotlinx.coroutines.reactor.ReactorFlowKt;
import org.jspecify.annotations.Nullable;

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
        LockedFlux<Object> locked = new LockedFlux<>(call, body -> ReactorFlowKt.asFlux(flow(body), context), false);
        return ReactiveFlowKt.asFlow(locked).collect(collector, continuation);
    }

    @SuppressWarnings("unchecked")
    private Flow<Object> flow(MethodBody body) {
        Object flow = StreamCall.run(body);
        if (flow == null) {
            throw new IllegalStateException(
                    "@DynamoLocked on " + call.method().description() + ": it returned null instead of a Flow.");
        }
        return (Flow<Object>) flow;
    }
}
