package io.dynamolock.benchmarks.micro;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockRequest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import reactor.core.publisher.Mono;

/** Calls of locked methods of a Spring bean, with locks in memory, and of a plain method for comparison. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class AspectBenchmark {

    private static final String CUSTOMER = "4711";
    private static final Duration WAIT = Duration.ofSeconds(10);
    private static final LockRequest FIXED = LockRequest.of("fixed").waitTime(WAIT);

    private ConfigurableApplicationContext context;
    private GuardedService service;
    private LockRegistry locks;

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import(GuardedService.class)
    static class Application {}

    @Setup
    public void start() {
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties("dynamolock.store=memory", "spring.main.banner-mode=off", "logging.level.root=WARN")
                .run();
        service = context.getBean(GuardedService.class);
        locks = context.getBean(LockRegistry.class);
    }

    @TearDown
    public void stop() {
        context.close();
    }

    /** Through the proxy, without advice. */
    @Benchmark
    public long plainCall() {
        return service.plain(CUSTOMER);
    }

    @Benchmark
    public long resilience4jBulkhead() {
        return service.inBulkhead(CUSTOMER);
    }

    @Benchmark
    public long lockedCall() {
        return service.locked(CUSTOMER);
    }

    @Benchmark
    public long lockedCallWithSpelKey() {
        return service.lockedByExpression(CUSTOMER);
    }

    /** The part of a locked call that is the lock itself. */
    @Benchmark
    public long sameLockWithoutAspect() {
        return locks.withLock(FIXED, lock -> service.plain(CUSTOMER));
    }

    /** As {@link #sameLockWithoutAspect()}, with a caller that waits until the release is written. */
    @Benchmark
    public long sameLockWithoutAspectAwaited() {
        return locks.withLock(FIXED.awaitRelease(true), lock -> service.plain(CUSTOMER));
    }

    /** As {@link #lockedCall()}, of a method that returns a stream. */
    @Benchmark
    public Long lockedMono() {
        return service.lockedMono(CUSTOMER).block();
    }

    /** The part of a locked stream that is the lock and the stream. */
    @Benchmark
    public Long sameLockAroundMonoWithoutAspect() {
        return Mono.usingWhen(
                        Mono.fromFuture(() -> locks.acquireAsync(FIXED)),
                        handle -> service.mono(CUSTOMER),
                        handle -> Mono.fromFuture(handle.releaseAsync()))
                .block();
    }
}
