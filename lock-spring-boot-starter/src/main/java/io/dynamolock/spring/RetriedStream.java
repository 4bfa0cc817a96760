package io.dynamolock.spring;

import io.dynamolock.LockException;
import java.util.function.UnaryOperator;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A stream with a retry around it, which is not to try again after a {@link LockException}. Not to be touched without Reactor. */
final class RetriedStream {

    private RetriedStream() {}

    /** Inside the retry: what it takes for an element is not tried again. */
    static Object hideFailure(Object stream) {
        ReactiveAdapter adapter = StreamTypes.adapter(stream.getClass());
        return changed(
                stream,
                adapter,
                elements -> elements.onErrorResume(LockException.class, failure -> Mono.just(new Hidden(failure))));
    }

    /** Outside the retry. */
    static Object showFailure(Object stream) {
        ReactiveAdapter adapter = StreamTypes.adapter(stream.getClass());
        return changed(
                stream,
                adapter,
                elements -> elements.handle((element, sink) -> {
                    if (element instanceof Hidden hidden) {
                        sink.error(hidden.failure());
                    } else {
                        sink.next(element);
                    }
                }));
    }

    private static Object changed(Object stream, ReactiveAdapter adapter, UnaryOperator<Flux<Object>> change) {
        if (adapter.isNoValue()) {
            // It passes no element on.
            return stream;
        }
        Flux<Object> changed = change.apply(Flux.from(adapter.toPublisher(stream)));
        return adapter.fromPublisher(adapter.isMultiValue() ? changed : Mono.fromDirect(changed));
    }

    private record Hidden(LockException failure) {}
}
