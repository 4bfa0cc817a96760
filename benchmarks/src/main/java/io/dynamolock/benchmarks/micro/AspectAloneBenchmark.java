package io.dynamolock.benchmarks.micro;

import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.test.UnlockedRegistry;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Mono;

/**
 * What the aspect adds to a call, on a registry that grants at once on the calling thread. A lock in memory would cost
 * two switches of threads, and their error is greater than the whole cost of the aspect. Subtract the benchmark without
 * aspect from each of the others.
 *
 * <p>A caller that does not block is granted its lock after its call has returned, as by a real registry: a lock that
 * is granted during the call makes the aspect continue on another thread.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class AspectAloneBenchmark {

    private final String customer = "4711";
    private static final LockRequest FIXED = LockRequest.of("fixed").waitForever();

    private AnnotationConfigApplicationContext context;
    private GuardedService service;
    private LockRegistry locks;
    private Grants grants;

    @Configuration(proxyBeanMethods = false)
    @EnableDynamoLocks
    @Import(GuardedService.class)
    static class Application {

        @Bean
        Grants grants() {
            return new Grants();
        }

        @Bean
        LockRegistry locks(Grants grants) {
            return (LockRegistry) Proxy.newProxyInstance(
                    LockRegistry.class.getClassLoader(), new Class<?>[] {LockRegistry.class}, grants);
        }
    }

    /** Keeps a caller that does not block waiting until {@link #grant} is called. */
    static final class Grants implements InvocationHandler {

        private final LockRegistry unlocked = UnlockedRegistry.create();
        private CompletableFuture<LockHandle> waiting;

        @Override
        public Object invoke(Object registry, Method method, Object[] arguments) throws Throwable {
            return switch (method.getName()) {
                case "acquireAsync" -> {
                    waiting = new CompletableFuture<>();
                    yield waiting;
                }
                case "equals" -> registry == arguments[0];
                default -> method.invoke(unlocked, arguments);
            };
        }

        void grant() {
            waiting.complete(unlocked.acquire(FIXED));
        }
    }

    @Setup
    public void start() {
        context = new AnnotationConfigApplicationContext(Application.class);
        service = context.getBean(GuardedService.class);
        locks = context.getBean(LockRegistry.class);
        grants = context.getBean(Grants.class);
    }

    @TearDown
    public void stop() {
        context.close();
    }

    @Benchmark
    public long lockedCall() {
        return service.locked(customer);
    }

    @Benchmark
    public long lockedCallWithSpelKey() {
        return service.lockedByExpression(customer);
    }

    @Benchmark
    public long sameCallWithoutAspect() {
        try (var handle = locks.acquire(FIXED)) {
            return service.plain(customer) + (handle.isValid() ? 0 : 1);
        }
    }

    @Benchmark
    public long sameCallWithItsKeyWithoutAspect() {
        try (var handle = locks.acquire(LockRequest.of("customer:" + customer).waitForever())) {
            return service.plain(customer) + (handle.isValid() ? 0 : 1);
        }
    }

    @Benchmark
    public Long lockedMono() {
        return granted(service.lockedMono(customer));
    }

    @Benchmark
    public Long sameMonoWithoutAspect() {
        return granted(Mono.usingWhen(
                Mono.fromFuture(() -> locks.acquireAsync(FIXED)),
                handle -> service.mono(customer),
                handle -> Mono.fromFuture(handle.releaseAsync())));
    }

    private Long granted(Mono<Long> locked) {
        CompletableFuture<Long> answer = locked.toFuture();
        grants.grant();
        return answer.join();
    }
}
