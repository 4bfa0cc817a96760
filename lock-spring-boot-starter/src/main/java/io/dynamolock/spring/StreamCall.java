package io.dynamolock.spring;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ReactiveAdapter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A call of a method that returns a stream, or of a suspending function. Nothing happens until somebody subscribes; each
 * subscription then acquires the lock and calls the method. Not to be touched without Reactor.
 */
final class StreamCall {

    private StreamCall() {}

    /** @return of the type that the method declares, or what Spring makes of a suspending function; it fails with whatever goes wrong */
    static Object begin(MethodResult result, Supplier<LockedCall> supplier) {
        LockedCall call;
        try {
            call = supplier.get();
        } catch (RuntimeException e) {
            return declared(result, Flux.error(e));
        }
        if (Libraries.COROUTINES && KotlinFlow.isDeclared(result.type()) && result.kind() == MethodResult.Kind.STREAM) {
            return new KotlinFlow(call);
        }
        ReactiveAdapter adapter = adapter(result);
        return declared(result, new LockedFlux<>(call, () -> work(call, adapter), !adapter.isMultiValue()));
    }

    private static StreamWork<Object> work(LockedCall call, ReactiveAdapter adapter) {
        MethodResult result = call.method().result();
        StreamWork<Object> work = body -> adapter.toPublisher(run(body));
        if (result.kind() == MethodResult.Kind.SUSPENDED) {
            return new SuspendedWork(work);
        }
        return Libraries.COROUTINES && DeferredWork.isDeclared(result.type()) ? new DeferredWork(call) : work;
    }

    static @Nullable Object run(MethodBody body) {
        try {
            return body.run();
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw reactor.core.Exceptions.propagate(e);
        }
    }

    private static Object declared(MethodResult result, Flux<Object> stream) {
        ReactiveAdapter adapter = adapter(result);
        // A plain Mono.from would cancel its source after the first element instead of waiting for the end.
        return adapter.fromPublisher(adapter.isMultiValue() ? stream : Mono.fromDirect(stream));
    }

    private static ReactiveAdapter adapter(MethodResult result) {
        return StreamTypes.adapter(result.kind() == MethodResult.Kind.SUSPENDED ? Mono.class : result.type());
    }
}
