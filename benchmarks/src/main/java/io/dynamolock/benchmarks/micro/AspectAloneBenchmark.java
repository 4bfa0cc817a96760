package io.dynamolock.benchmarks.micro;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.EnableDynamoLocks;
import io.dynamolock.spring.test.UnlockedRegistry;
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
 * What the aspect adds to a call, on a registry that grants at once on the calling thread: the time of a lock in memory is that of
 * two switches of threads, whose error is greater than all that the aspect does. Each is to be read less the one without aspect.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class AspectAloneBenchmark {

    private static final String CUSTOMER = "4711";
    private static final LockRequest FIXED = LockRequest.of("fixed").waitForever();

    private AnnotationConfigApplicationContext context;
    private GuardedService service;
    private LockRegistry locks;

    @Configuration(proxyBeanMethods = false)
    @EnableDynamoLocks
    @Import(GuardedService.class)
    static class Application {

        @Bean
        LockRegistry locks() {
            return UnlockedRegistry.create();
        }
    }

    @Setup
    public void start() {
        context = new AnnotationConfigApplicationContext(Application.class);
        service = context.getBean(GuardedService.class);
        locks = context.getBean(LockRegistry.class);
    }

    @TearDown
    public void stop() {
        context.close();
    }

    @Benchmark
    public long lockedCall() {
        return service.locked(CUSTOMER);
    }

    @Benchmark
    public long lockedCallWithSpelKey() {
        return service.lockedByExpression(CUSTOMER);
    }

    @Benchmark
    public long sameCallWithoutAspect() {
        try (var handle = locks.acquire(FIXED)) {
            return service.plain(CUSTOMER) + (handle.isValid() ? 0 : 1);
        }
    }

    @Benchmark
    public Long lockedMono() {
        return service.lockedMono(CUSTOMER).block();
    }

    @Benchmark
    public Long sameMonoWithoutAspect() {
        return Mono.usingWhen(
                        Mono.fromFuture(() -> locks.acquireAsync(FIXED)),
                        handle -> service.mono(CUSTOMER),
                        handle -> Mono.fromFuture(handle.releaseAsync()))
                .block();
    }
}
