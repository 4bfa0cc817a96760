package io.dynamolock.spring.internal.calls;

import io.dynamolock.spring.internal.Libraries;
import io.dynamolock.spring.internal.declarations.MethodResult;
import io.dynamolock.spring.internal.declarations.StreamTypes;
import java.util.function.Supplier;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The answer to the caller of a method that returns a stream or suspends. Loaded only with Reactor. */
final class StreamAnswer {

    private StreamAnswer() {}

    /**
     * @return a stream of the type that the method declares, or the {@code Mono} that Spring's proxy expects of a
     *     suspending function; every failure arrives through the stream
     */
    static Object of(MethodResult result, Supplier<LockedCall> supplier) {
        ReactiveAdapter adapter =
                StreamTypes.adapter(result.kind() == MethodResult.Kind.SUSPENDED ? Mono.class : result.type());
        LockedCall call;
        try {
            call = supplier.get();
        } catch (RuntimeException e) {
            return adapter.fromPublisher(Mono.error(e));
        }
        boolean ofCoroutines = Libraries.COROUTINES && CoroutineWork.isOf(result);
        if (ofCoroutines && adapter.isMultiValue()) {
            return FlowAnswer.of(call);
        }
        Flux<Object> stream =
                StreamCall.perSubscription(call, () -> ofCoroutines ? new CoroutineWork(call) : adapter::toPublisher);
        // singleOrEmpty passes the element on when the stream has ended: by then the call has left its locks.
        return adapter.fromPublisher(adapter.isMultiValue() ? stream : stream.singleOrEmpty());
    }
}
