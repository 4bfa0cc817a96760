package io.dynamolock.spring.internal.retries;

import io.dynamolock.LockException;
import io.dynamolock.spring.internal.declarations.StreamTypes;
import java.util.function.UnaryOperator;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A stream with a retry around it, which is not to try again after a {@link LockException}. Not to be touched without Reactor. */
final class RetriedStream {

    private RetriedStream() {}

    /** Inside the retry: what it takes for an element is not tried again. */
    static Object hideFailure(Object stream) {
        return changed(
                stream,
                elements -> elements.onErrorResume(LockException.class, failure -> Mono.just(new Hidden(failure))));
    }

    /** Outside the retry. */
    static Object showFailure(Object stream) {
        return changed(
                stream,
                elements -> elements.map(element -> {
                    if (element instanceof Hidden hidden) {
                        throw hidden.failure();
                    }
                    return element;
                }));
    }

    private static Object changed(Object stream, UnaryOperator<Flux<Object>> change) {
        ReactiveAdapter adapter = StreamTypes.adapter(stream.getClass());
        if (adapter.isNoValue()) {
            // It passes no element on.
            return stream;
        }
        Flux<Object> changed = change.apply(Flux.from(adapter.toPublisher(stream)));
        return adapter.fromPublisher(adapter.isMultiValue() ? changed : Mono.fromDirect(changed));
    }

    private record Hidden(LockException failure) {}
}
