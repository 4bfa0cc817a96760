package io.dynamolock.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.web.context.request.async.DeferredResult;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A mistake in an annotation stops the application when the bean is created. */
class InvalidAnnotationTest {

    static class NoKey {
        @DynamoLocked
        public void run() {}
    }

    static class BadSyntax {
        @DynamoLocked(key = "'a")
        public void run() {}
    }

    static class ConstantWithoutQuotes {
        @DynamoLocked(key = "nightly-report job")
        public void run() {}
    }

    static class UnknownParameter {
        @DynamoLocked(key = "'c:' + (#customer ?: 'x')")
        public void run(String customerId) {}
    }

    static class ParameterOutOfRange {
        @DynamoLocked(key = "#p1")
        public void run(String customerId) {}
    }

    static class BadWait {
        @DynamoLocked(key = "'a'", waitTime = "soon")
        public void run() {}
    }

    static class WaitWithoutUnit {
        @DynamoLocked(key = "'a'", waitTime = "60")
        public void run() {}
    }

    static class UnknownPlaceholder {
        @DynamoLocked(key = "'a'", waitTime = "${no.such.property}")
        public void run() {}
    }

    static class EmptyPlaceholder {
        @DynamoLocked(key = "'a'", namespace = "${no.such.property:}")
        public void run() {}
    }

    static class NoHold {
        @DynamoLocked(key = "'a'", maxHold = "0")
        public void run() {}
    }

    static class HeldForever {
        @DynamoLocked(key = "'a'", holdAtLeast = "forever")
        public void run() {}
    }

    static class LeastOverMost {
        @DynamoLocked(key = "'a'", maxHold = "1s", holdAtLeast = "2s")
        public void run() {}
    }

    static class BadNamespace {
        @DynamoLocked(key = "'a'", namespace = "a/b")
        public void run() {}
    }

    static class Private {
        public void fine() {}

        @DynamoLocked(key = "'a'")
        private void run() {}
    }

    static class Final {
        @DynamoLocked(key = "'a'")
        public final void run() {}
    }

    static class Static {
        @DynamoLocked(key = "'a'")
        public static void run() {}
    }

    static class SecondOfTwo {
        @DynamoLocked(key = "'a'")
        public void good() {}

        @DynamoLocked(key = "#nothing")
        public void run() {}
    }

    static class ReturnsFuture {
        @DynamoLocked(key = "'a'")
        public Future<String> run() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class ReturnsCompletableFuture {
        @DynamoLocked(key = "'a'")
        public CompletableFuture<String> run() {
            return CompletableFuture.completedFuture("");
        }
    }

    static class ReturnsMono {
        @DynamoLocked(key = "'a'")
        public Mono<String> run() {
            return Mono.empty();
        }
    }

    static class ReturnsFlux {
        @DynamoLocked(key = "'a'")
        public Flux<String> run() {
            return Flux.empty();
        }
    }

    static class ReturnsPublisher {
        @DynamoLocked(key = "'a'")
        public Flow.Publisher<String> run() {
            return subscriber -> {};
        }
    }

    static class ReturnsCallable {
        @DynamoLocked(key = "'a'")
        public Callable<String> run() {
            return () -> "";
        }
    }

    static class ReturnsDeferredResult {
        @DynamoLocked(key = "'a'")
        public DeferredResult<String> run() {
            return new DeferredResult<>();
        }
    }

    static class Suspends {
        @DynamoLocked(key = "'a'")
        public Object run(kotlin.coroutines.Continuation<? super String> continuation) {
            return "";
        }
    }

    static List<Arguments> mistakes() {
        return List.of(
                mistake(NoKey.class, "it has no key"),
                mistake(BadSyntax.class, "the key \"'a\" is not an expression"),
                mistake(ConstantWithoutQuotes.class, "A constant key needs quotes of its own"),
                mistake(UnknownParameter.class, "uses #customer, which is not a parameter"),
                mistake(UnknownParameter.class, "Its parameters are: customerId"),
                mistake(ParameterOutOfRange.class, "uses #p1"),
                mistake(BadWait.class, "waitTime = 'soon' is not a duration"),
                mistake(WaitWithoutUnit.class, "waitTime = '60' has no unit"),
                mistake(UnknownPlaceholder.class, "no.such.property"),
                mistake(EmptyPlaceholder.class, "namespace = \"${no.such.property:}\" gives nothing"),
                mistake(NoHold.class, "maxHold cannot be '0'"),
                mistake(HeldForever.class, "holdAtLeast cannot be 'forever'"),
                mistake(LeastOverMost.class, "holdAtLeast is longer than maxHold"),
                mistake(BadNamespace.class, "a/b"),
                mistake(Private.class, "the method is private"),
                mistake(Final.class, "the method is final"),
                mistake(Static.class, "the method is static"),
                mistake(SecondOfTwo.class, "uses #nothing"),
                mistake(ReturnsFuture.class, "it returns a Future"),
                mistake(ReturnsCompletableFuture.class, "it returns a CompletableFuture"),
                mistake(ReturnsMono.class, "it returns a Mono"),
                mistake(ReturnsFlux.class, "it returns a Flux"),
                mistake(ReturnsPublisher.class, "it returns a Publisher"),
                mistake(ReturnsCallable.class, "it returns a Callable"),
                mistake(ReturnsDeferredResult.class, "it returns a DeferredResult"),
                mistake(Suspends.class, "it is a suspending function"));
    }

    private static Arguments mistake(Class<?> bean, String message) {
        return Arguments.of(Named.of(bean.getSimpleName(), bean), message);
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void stopsTheApplicationAndNamesTheMethod(Class<?> bean, String message) {
        Throwable failure = catchThrowable(() -> new AspectContext(bean).close());
        assertThat(failure).isNotNull();
        InvalidDynamoLockedException cause = find(failure);
        assertThat(cause)
                .hasMessageContaining("@DynamoLocked on " + bean.getSimpleName() + ".run(")
                .hasMessageContaining(message);
        assertThat(cause.getMessage()).isEqualTo(cause.problem() + " " + cause.remedy());
        assertThat(cause.remedy()).isNotBlank();
    }

    private static InvalidDynamoLockedException find(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof InvalidDynamoLockedException invalid) {
                return invalid;
            }
        }
        throw new AssertionError("no InvalidDynamoLockedException", NestedExceptionUtils.getMostSpecificCause(failure));
    }
}
