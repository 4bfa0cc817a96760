package io.dynamolock.spring.internal.retries;

import static io.dynamolock.spring.aspect.Bodies.failing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockLostException;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.OnLost;
import io.dynamolock.spring.aspect.AspectContext;
import io.dynamolock.spring.aspect.Attempts;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.retry.annotation.Backoff;
import org.springframework.retry.annotation.EnableRetry;
import org.springframework.retry.annotation.Recover;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import reactor.core.publisher.Mono;

/** The retries of Spring itself run under the lock: one place in the queue, one wait, one lock for all attempts. */
class RetryOrderTest {

    @AutoClose
    private final AspectContext context = AspectContext.booted(Application.class);

    private final FakeLockRegistry locks = context.locks;
    private final Work work = context.bean(Work.class);
    private final Attempts attempts = new Attempts(locks);

    @Configuration(proxyBeanMethods = false)
    @EnableResilientMethods(proxyTargetClass = true)
    @Import(Work.class)
    static class Application {}

    static class Work {

        @Retryable(maxRetries = 3, delay = 1)
        @DynamoLocked(key = "'k'")
        public String locked(Supplier<String> body) {
            return body.get();
        }

        @Retryable(maxRetries = 3, delay = 1)
        @DynamoLocked(key = "'k'")
        public Mono<String> stream(Supplier<String> body) {
            return Mono.fromSupplier(body);
        }

        @Retryable(maxRetries = 3, delay = 1)
        @DynamoLocked(key = "'k'")
        public CompletableFuture<String> future(Supplier<String> body) {
            return CompletableFuture.completedFuture(body.get());
        }

        @Retryable(maxRetries = 3, delay = 1)
        @DynamoLocked(key = "'k'")
        public Future<String> anyFuture(Supplier<String> body) {
            return CompletableFuture.completedFuture(body.get());
        }

        @Retryable(maxRetries = 3, delay = 60_000)
        @DynamoLocked(key = "'k'")
        public String withLongPauses(Supplier<String> body) {
            return body.get();
        }

        @Retryable(maxRetries = 3, delay = 60_000)
        @DynamoLocked(key = "'k'")
        public CompletableFuture<String> futureWithLongPauses(Supplier<String> body) {
            return CompletableFuture.completedFuture(body.get());
        }

        @Retryable(maxRetries = 3, delay = 60_000)
        @DynamoLocked(key = "'k'", onLost = OnLost.INTERRUPT)
        public String interrupted(Supplier<String> body) {
            return body.get();
        }

        @Retryable(maxRetries = 3, delay = 1)
        @DynamoLocked(key = "'k'", onLost = OnLost.IGNORE)
        public String ignoring(Supplier<String> body) {
            return body.get();
        }

        @Retryable(maxRetries = 3, delay = 1)
        public String free(Supplier<String> body) {
            return body.get();
        }
    }

    @Test
    void allAttemptsRunUnderOneLock() {
        assertThat(work.locked(attempts::failsTwice)).isEqualTo("done");
        attempts.wereThreeUnderOneLock();
    }

    /** Spring's retry takes a future for a result, even a failed one, and tries again after what is thrown. */
    private static void retriesAFuture(
            Class<?> configuration, Function<AspectContext, Function<Supplier<String>, Future<String>>> method)
            throws Exception {
        try (AspectContext context = AspectContext.booted(Application.class, configuration)) {
            Function<Supplier<String>, Future<String>> call = method.apply(context);
            Attempts attempts = new Attempts(context.locks);
            assertThat(call.apply(attempts::failsTwice).get(30, TimeUnit.SECONDS))
                    .isEqualTo("done");
            attempts.wereThreeUnderOneLock();

            AtomicInteger inVain = new AtomicInteger();
            Future<String> broken = call.apply(() -> {
                inVain.incrementAndGet();
                throw new IllegalStateException("broken");
            });
            assertThatThrownBy(() -> broken.get(30, TimeUnit.SECONDS)).hasRootCauseMessage("broken");
            assertThat(inVain).hasValue(4);

            Attempts one = new Attempts(context.locks);
            Future<String> losing = call.apply(one::losesItsLock);
            assertThatThrownBy(() -> losing.get(30, TimeUnit.SECONDS)).hasRootCauseInstanceOf(LockLostException.class);
            assertThat(one.count()).isOne();
        }
    }

    @Test
    void aMethodThatThrowsInsteadOfGivingItsFutureIsTriedAgainUnderItsLock() throws Exception {
        retriesAFuture(Background.class, application -> application.bean(Work.class)::future);
        retriesAFuture(Background.class, application -> application.bean(Work.class)::anyFuture);
        retriesAFuture(Background.class, application -> application.bean(BackgroundWork.class)::future);
        retriesAFuture(SpringRetry.class, application -> application.bean(SpringRetryWork.class)::future);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableRetry(proxyTargetClass = true)
    @Import(SpringRetryWork.class)
    static class SpringRetry {}

    static class SpringRetryWork {

        @org.springframework.retry.annotation.Retryable(maxAttempts = 4, backoff = @Backoff(delay = 1))
        @DynamoLocked(key = "'k'")
        public CompletableFuture<String> future(Supplier<String> body) {
            return CompletableFuture.completedFuture(body.get());
        }

        @org.springframework.retry.annotation.Retryable(maxAttempts = 3, backoff = @Backoff(delay = 1))
        @DynamoLocked(key = "'k'")
        public int recovering(Supplier<String> body) {
            return body.get().length();
        }

        @Recover
        public int recover(RuntimeException failure, Supplier<String> body) {
            return -1;
        }
    }

    @Test
    @Timeout(30)
    void aLossEndsTheCallWithoutTheRetrysPauses() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> work.withLongPauses(attempts::losesItsLock));
        assertThatThrownBy(
                        () -> work.futureWithLongPauses(attempts::losesItsLock).get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(LockLostException.class);
        assertThat(attempts.count()).isEqualTo(2);
    }

    @Test
    @Timeout(30)
    void anInterruptByALossEndsTheCallWithoutTheRetrysPauses() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> work.interrupted(attempts::failsWhenInterruptedByALoss))
                .satisfies(loss -> assertThat(loss.getSuppressed())
                        .singleElement()
                        .satisfies(failure -> assertThat(failure).hasMessage("interrupted")));
        assertThat(attempts.count()).isOne();
    }

    @Test
    void nothingIsRecoveredWithoutTheLock() {
        try (AspectContext springRetry = AspectContext.booted(SpringRetry.class)) {
            SpringRetryWork recovering = springRetry.bean(SpringRetryWork.class);
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> recovering.recovering(new Attempts(springRetry.locks)::losesItsLock));
            assertThat(recovering.recovering(failing("broken"))).isEqualTo(-1);
        }
    }

    @Test
    void theLossOfAnotherLockIsRetriedAsAnyFailure() {
        LockLostException another =
                LockLostException.class.cast(catchThrowable(() -> work.locked(attempts::losesItsLock)));
        AtomicInteger tries = new AtomicInteger();
        for (Function<Supplier<String>, String> method :
                List.<Function<Supplier<String>, String>>of(work::locked, work::ignoring)) {
            tries.set(0);
            assertThatThrownBy(() -> method.apply(() -> {
                        tries.incrementAndGet();
                        throw another;
                    }))
                    .isSameAs(another);
            assertThat(tries).hasValue(4);
        }
    }

    @Test
    void allAttemptsOfAStreamRunUnderOneLock() {
        assertThat(work.stream(attempts::failsTwice).block()).isEqualTo("done");
        attempts.wereThreeUnderOneLock();
    }

    @Test
    void noAttemptOfAStreamBeginsWhenTheLockIsLost() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> work.stream(attempts::failsAfterALoss).block());
        assertThat(attempts.count()).isOne();
    }

    @Test
    void aWaitIsNotMultiplied() {
        locks.timesOut = true;
        assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(() -> work.locked(() -> "never"));
        assertThat(locks.requests).hasSize(1);
    }

    @Test
    void finishedWorkIsNotDoneAgainBecauseTheLockWasLost() {
        AtomicInteger done = new AtomicInteger();
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> work.locked(() -> {
                    done.incrementAndGet();
                    locks.lastHandle().lose();
                    return "result";
                }));
        assertThat(done).hasValue(1);
    }

    @Test
    void noAttemptBeginsWhenTheLockIsLostWhateverTheLastOneThrew() {
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> work.locked(attempts::losesItsLock));
        assertThat(attempts.count()).isOne();

        Attempts broken = new Attempts(locks);
        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> work.locked(broken::failsAfterALoss));
        assertThat(broken.count()).isOne();
    }

    @Test
    void theLastFailureIsTheCallers() {
        assertThatIllegalStateException()
                .isThrownBy(() -> work.locked(failing("broken")))
                .withMessage("broken");
        assertThat(locks.requests).hasSize(1);
    }

    @Test
    void methodsWithoutALockAreRetriedAsEver() {
        AtomicInteger done = new AtomicInteger();
        assertThatIllegalStateException()
                .isThrownBy(() -> work.free(() -> {
                    done.incrementAndGet();
                    throw new IllegalStateException("broken");
                }));
        assertThat(locks.requests).isEmpty();
        assertThat(done).hasValue(4);
    }

    /** Further out than the lock, and inside of what Spring puts outermost. */
    static class Counting extends DefaultPointcutAdvisor {

        private static final long serialVersionUID = 1L;
        private final AtomicInteger calls = new AtomicInteger();

        Counting() {
            NameMatchMethodPointcut all = new NameMatchMethodPointcut();
            all.setClassFilter(type -> type == Work.class);
            all.addMethodName("*");
            setPointcut(all);
            setAdvice((MethodInterceptor) call -> {
                calls.incrementAndGet();
                return call.proceed();
            });
            setOrder(0);
        }
    }

    @Test
    void otherMethodsOfTheSameBeanKeepTheirRetryWhereItWas() {
        try (AspectContext counted = AspectContext.booted(Application.class, Counting.class)) {
            Work ofIt = counted.bean(Work.class);
            AtomicInteger calls = counted.bean(Counting.class).calls;
            assertThatIllegalStateException().isThrownBy(() -> ofIt.free(failing("broken")));
            assertThat(calls).as("once for each attempt").hasValue(4);

            calls.set(0);
            assertThatIllegalStateException().isThrownBy(() -> ofIt.locked(failing("broken")));
            assertThat(calls).as("once for all attempts").hasValue(1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAsync(proxyTargetClass = true)
    @Import(BackgroundWork.class)
    static class Background {}

    static class BackgroundWork {

        private final AtomicInteger attempts = new AtomicInteger();

        @Async
        @Retryable(maxRetries = 3, delay = 1)
        @DynamoLocked(key = "'k'")
        public void run(CompletableFuture<String> thread) {
            if (attempts.incrementAndGet() < 3) {
                throw new IllegalStateException("not yet");
            }
            thread.complete(Thread.currentThread().getName());
        }

        @Async
        @Retryable(maxRetries = 3, delay = 1)
        @DynamoLocked(key = "'k'")
        public CompletableFuture<String> future(Supplier<String> body) {
            return CompletableFuture.completedFuture(body.get());
        }
    }

    @Test
    void anAsynchronousMethodStaysOutsideOfItsLock() throws Exception {
        try (AspectContext asynchronous = AspectContext.booted(Application.class, Background.class)) {
            CompletableFuture<String> thread = new CompletableFuture<>();
            asynchronous.bean(BackgroundWork.class).run(thread);
            assertThat(thread.get(30, TimeUnit.SECONDS))
                    .isNotEqualTo(Thread.currentThread().getName());
            assertThat(asynchronous.locks.requests).hasSize(1);
        }
    }
}
