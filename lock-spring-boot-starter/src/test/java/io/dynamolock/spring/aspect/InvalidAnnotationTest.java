package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.LockMode;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import io.dynamolock.spring.annotation.OnTimeout;
import io.reactivex.rxjava3.core.Single;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.NonNull;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.ConnectableFlux;
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

    @SuppressWarnings("unused")
    static class Private {
        public void fine() {}

        @DynamoLocked(key = "'a'")
        private void run() {}
    }

    static class Final {
        @DynamoLocked(key = "'a'")
        public final void run() {}
    }

    static final class FinalClass {
        @DynamoLocked(key = "'a'")
        public void run() {}
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

    static class ReturnsTask {
        @DynamoLocked(key = "'a'")
        public FutureTask<String> run() {
            return new FutureTask<>(() -> "");
        }
    }

    static class OwnFuture extends CompletableFuture<String> {}

    static class ReturnsOwnFuture {
        @DynamoLocked(key = "'a'")
        public OwnFuture run() {
            return new OwnFuture();
        }
    }

    static class ReturnsConnectable {
        @DynamoLocked(key = "'a'")
        public ConnectableFlux<String> run() {
            return Flux.just("").publish();
        }
    }

    static class ReturnsFluxInMono {
        @DynamoLocked(key = "'a'")
        public Mono<Flux<String>> run() {
            return Mono.empty();
        }
    }

    static class ReturnsStreamInFuture {
        @DynamoLocked(key = "'a'")
        public CompletableFuture<List<Stream<String>>> run() {
            return CompletableFuture.completedFuture(List.of());
        }
    }

    static class SkippedButNeverEmpty {
        @DynamoLocked(key = "'a'", onTimeout = OnTimeout.SKIP)
        public Single<String> run() {
            return Single.just("");
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

    static class ReturnsStream {
        @DynamoLocked(key = "'a'")
        public Stream<String> run() {
            return Stream.of();
        }
    }

    static class ReturnsSupplier {
        @DynamoLocked(key = "'a'")
        public Supplier<String> run() {
            return () -> "";
        }
    }

    static class ReturnsStreamingResponse {
        @DynamoLocked(key = "'a'")
        public ResponseEntity<StreamingResponseBody> run() {
            return ResponseEntity.ok(out -> {});
        }
    }

    static class ReturnsMonoInAnswer {
        @DynamoLocked(key = "'a'")
        public ResponseEntity<Mono<String>> run() {
            return ResponseEntity.ok(Mono.empty());
        }
    }

    static class ReturnsFutures {
        @DynamoLocked(key = "'a'")
        public List<CompletableFuture<String>> run() {
            return List.of();
        }
    }

    static class ReturnsArrayOfFutures {
        @DynamoLocked(key = "'a'")
        public Future<?>[] run() {
            return new Future<?>[0];
        }
    }

    static class ReturnsMaybeFuture {
        @DynamoLocked(key = "'a'")
        public Optional<Map<String, ? extends Future<String>>> run() {
            return Optional.empty();
        }
    }

    abstract static class Typed<T> {
        @DynamoLocked(key = "'a'")
        public T run() {
            throw new AssertionError();
        }
    }

    static class TypedByItsClass extends Typed<Callable<String>> {}

    static class ConstantThatParses {
        @DynamoLocked(key = "nightly-report")
        public void run() {}
    }

    static class ParameterWithoutHash {
        @DynamoLocked(key = "customerId")
        public void run(String customerId) {}
    }

    static class UnknownPlaceholderInKey {
        @DynamoLocked(key = "'${no.such.property}'")
        public void run() {}
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DynamoLocked(key = "'orders'")
    @interface OrdersLocked {}

    @Retention(RetentionPolicy.RUNTIME)
    @DynamoLocked(key = "'stock'")
    @interface StockLocked {}

    @OrdersLocked
    @StockLocked
    static class SeveralOnTheClassAndOneOfItsOwn {
        @DynamoLocked(namespace = "other")
        public void run() {}
    }

    static class KeyAndKeys {
        @DynamoLocked(key = "'a'", keys = "'b'")
        public void run() {}
    }

    static class BlankAmongKeys {
        @DynamoLocked(keys = {"'b'", " "})
        public void run() {}
    }

    static class SecondKeyUnknown {
        @DynamoLocked(keys = {"#id", "#nothing"})
        public void run(String id) {}
    }

    static class TwoModes {
        @DynamoLocked(
                key = "'a'",
                mode = {LockMode.SHARED, LockMode.EXCLUSIVE})
        public void run() {}
    }

    static class BadCondition {
        @DynamoLocked(key = "'a'", condition = "#id ==")
        public void run(String id) {}
    }

    static class ConditionWithoutHash {
        @DynamoLocked(key = "'a'", condition = "id != null")
        public void run(String id) {}
    }

    static class NoFallback {
        @DynamoLocked(key = "'a'", fallbackMethod = "later")
        public String run(String id, int amount) {
            return id;
        }

        public String later(String id) {
            return id;
        }
    }

    static class TwoFallbacks {
        @DynamoLocked(key = "'a'", fallbackMethod = "later")
        public void run(String id) {}

        void later(String id) {}

        void later(String id, Exception e) {}
    }

    static class FallbackForAnotherException {
        @DynamoLocked(key = "'a'", fallbackMethod = "later")
        public void run() {}

        void later(IllegalStateException e) {}
    }

    static class FallbackOfAnotherType {
        @DynamoLocked(key = "'a'", fallbackMethod = "later")
        public int run() {
            return 1;
        }

        String later() {
            return "1";
        }
    }

    static class FallbackOfAnotherElement {
        @DynamoLocked(key = "'a'", fallbackMethod = "later")
        public Mono<String> run() {
            return Mono.empty();
        }

        Mono<Integer> later() {
            return Mono.empty();
        }
    }

    static class LockedFallback {
        @DynamoLocked(key = "'a'", fallbackMethod = "later")
        public void run() {}

        @DynamoLocked(key = "'b'")
        public void later() {}
    }

    static class TwiceLockedFallback {
        @DynamoLocked(key = "'a'", fallbackMethod = "later")
        public void run() {}

        @DynamoLocked(key = "'b'")
        @DynamoLocked(key = "'c'")
        public void later() {}
    }

    static class SkipsAndFallsBack {
        @DynamoLocked(key = "'a'", onTimeout = OnTimeout.SKIP, fallbackMethod = "later")
        public void run() {}

        void later() {}
    }

    static class FallsBackAndThrows {
        @DynamoLocked(key = "'a'", timeoutException = IllegalStateException.class, fallbackMethod = "later")
        public void run() {}

        void later() {}
    }

    static class ThrowsWhatCannotBeMade {
        @DynamoLocked(key = "'a'", timeoutException = OfANumber.class)
        public void run() {}
    }

    static class OfANumber extends RuntimeException {

        private static final long serialVersionUID = 1L;

        OfANumber(int number) {
            super("number " + number);
        }
    }

    static class AfterConstruction {
        @PostConstruct
        @DynamoLocked(key = "'a'")
        public void run() {}
    }

    static class BeforeDestruction {
        @PreDestroy
        @DynamoLocked(key = "'a'")
        public void run() {}
    }

    static class SkippedButNeverNull {
        @DynamoLocked(key = "'a'", onTimeout = OnTimeout.SKIP)
        public @NonNull String run() {
            return "";
        }
    }

    static class Suspends {
        @DynamoLocked(key = "'a'")
        public Object run(kotlin.coroutines.Continuation<? super Flux<String>> continuation) {
            return "";
        }
    }

    static class Order {}

    record Seat(String hall) {}

    static class PlaceholderOfAName {
        @DynamoLocked(key = "#seat.${part:hall}")
        public void run(Seat seat) {}
    }

    static class PlaceholderOfAFunction {
        @DynamoLocked(key = "${function:f}(#seat.hall)")
        public void run(Seat seat) {}
    }

    static class PlaceholderOfABean {
        @DynamoLocked(key = "@${bean:secret}.current()")
        public void run() {}
    }

    static class Generic<T> {
        @DynamoLocked(key = "#item")
        public void run(T item) {}
    }

    static class GenericOfOrders extends Generic<Order> {}

    static class OptionalKey {
        @DynamoLocked(key = "#id")
        public void run(Optional<String> id) {}
    }

    static class EntityKey {
        @DynamoLocked(key = "#order")
        public void run(Order order) {}
    }

    static class BytesAsKey {
        @DynamoLocked(key = "#hash")
        public void run(byte[] hash) {}
    }

    static class MapAsKey {
        @DynamoLocked(key = "#settings")
        public void run(Map<String, String> settings) {}
    }

    static class TextWithoutQuotes {
        @DynamoLocked(key = "customer:#id")
        public void run(String id) {}
    }

    static class TextThatParses {
        @DynamoLocked(key = "customer-#id.length")
        public void run(String id) {}
    }

    static class Template {
        @DynamoLocked(key = "#{#region}:#{#id}:x")
        public void run(String region, String id) {}
    }

    static class NoParameters {
        @DynamoLocked(key = "#id")
        public void run() {}
    }

    static List<Arguments> mistakes() {
        return List.of(
                mistake(
                        PlaceholderOfAName.class,
                        "\"#seat.${part:hall}\" is not an expression. A placeholder gives a value"),
                mistake(PlaceholderOfAFunction.class, "is not an expression. A placeholder gives a value"),
                mistake(PlaceholderOfABean.class, "is not an expression. A placeholder gives a value: join it"),
                mistake(GenericOfOrders.class, "takes #item: a " + Order.class.getName() + " cannot be a key."),
                mistake(OptionalKey.class, "takes #id: a java.util.Optional cannot be a key. Take a string,"),
                mistake(
                        EntityKey.class,
                        "takes #order: a " + Order.class.getName() + " cannot be a key. Take a string,"),
                mistake(BytesAsKey.class, "a byte[] cannot be a key. Make a text of it"),
                mistake(MapAsKey.class, "a java.util.Map cannot be a key: it is a collection"),
                mistake(
                        TextWithoutQuotes.class,
                        "A text needs quotes of its own, and + joins it with values: 'customer:' + #id."),
                mistake(
                        TextThatParses.class,
                        "A text needs quotes of its own, and + joins it with values: 'customer:' + #id."),
                mistake(
                        Template.class,
                        "A text needs quotes of its own, and + joins it with values: 'customer:' + #id."),
                mistake(NoParameters.class, "The method has no parameters: give it one, or write a text in quotes."),
                mistake(NoKey.class, "it has no key"),
                mistake(BadSyntax.class, "the key \"'a\" is not an expression"),
                mistake(
                        ConstantWithoutQuotes.class,
                        "A text needs quotes of its own, and + joins it with values: 'customer:' + #id."),
                mistake(UnknownParameter.class, "uses #customer, which is not a parameter"),
                mistake(UnknownParameter.class, "Its parameters are: customerId"),
                mistake(ParameterOutOfRange.class, "uses #p1"),
                mistake(BadWait.class, "waitTime = 'soon' is not a duration"),
                mistake(WaitWithoutUnit.class, "waitTime = '60' has no unit"),
                mistake(UnknownPlaceholder.class, "no.such.property"),
                mistake(EmptyPlaceholder.class, "namespace = \"${no.such.property:}\" gives nothing"),
                mistake(NoHold.class, "maxHold must be more than zero"),
                mistake(HeldForever.class, "holdAtLeast cannot be 'forever'"),
                mistake(LeastOverMost.class, "holdAtLeast (PT2S) must not be longer than maxHold (PT1S)"),
                mistake(BadNamespace.class, "a/b"),
                mistake(Private.class, "the method is private"),
                mistake(Final.class, "the method is final"),
                mistake(Static.class, "the method is static"),
                mistake(SecondOfTwo.class, "uses #nothing"),
                mistake(ReturnsTask.class, "it returns a FutureTask. The lock would be released before the work ends."),
                mistake(ReturnsOwnFuture.class, "a OwnFuture, which must be declared as a CompletableFuture."),
                mistake(ReturnsConnectable.class, "a ConnectableFlux, which must be declared as a Flux."),
                mistake(ReturnsFluxInMono.class, "it returns a Mono with a Flux in it."),
                mistake(ReturnsStreamInFuture.class, "it returns a CompletableFuture with a Stream in it."),
                mistake(
                        SkippedButNeverEmpty.class,
                        "onTimeout = SKIP gives nothing, but the method must give a Single."),
                mistake(ReturnsCallable.class, "it returns a Callable"),
                mistake(ReturnsDeferredResult.class, "it returns a DeferredResult"),
                mistake(ReturnsStream.class, "it returns a Stream."),
                mistake(ReturnsSupplier.class, "it returns a Supplier."),
                mistake(
                        ReturnsStreamingResponse.class,
                        "it returns a ResponseEntity with a StreamingResponseBody in it."),
                mistake(ReturnsMonoInAnswer.class, "it returns a ResponseEntity with a Mono in it."),
                mistake(ReturnsFutures.class, "it returns a List with a CompletableFuture in it."),
                mistake(ReturnsArrayOfFutures.class, "it returns a Future[] with a Future in it."),
                mistake(ReturnsMaybeFuture.class, "it returns a Optional with a Future in it."),
                mistake(TypedByItsClass.class, "it returns a Callable."),
                mistake(ConstantThatParses.class, "names no parameter, bean, type or text: nightly."),
                mistake(
                        ConstantThatParses.class,
                        "A text needs quotes of its own, and + joins it with values: 'customer:' + #id."),
                mistake(ParameterWithoutHash.class, "A parameter is written with a hash: #customerId."),
                mistake(UnknownPlaceholderInKey.class, "no.such.property"),
                mistake(
                        SeveralOnTheClassAndOneOfItsOwn.class,
                        "its class has several locks and the method one of its own"),
                mistake(KeyAndKeys.class, "it has both key and keys."),
                mistake(BlankAmongKeys.class, "its key is blank."),
                mistake(SecondKeyUnknown.class, "uses #nothing"),
                mistake(TwoModes.class, "it has several modes."),
                mistake(BadCondition.class, "the condition \"#id ==\" is not an expression"),
                mistake(
                        ConditionWithoutHash.class,
                        "the condition \"id != null\" names no parameter, bean, type or text: id. A parameter is written"
                                + " with a hash: #id."),
                mistake(NoFallback.class, "the fallbackMethod \"later\" does not exist in NoFallback."),
                mistake(NoFallback.class, "Write one method String later(String, int), or with a LockTimeoutException"),
                mistake(TwoFallbacks.class, "the fallbackMethod \"later\" exists twice in TwoFallbacks."),
                mistake(FallbackForAnotherException.class, "\"later\" does not exist"),
                mistake(FallbackOfAnotherType.class, "its fallbackMethod \"later\" returns String, not int."),
                mistake(FallbackOfAnotherElement.class, "\"later\" returns Mono<Integer>, not Mono<String>."),
                mistake(LockedFallback.class, "its fallbackMethod \"later\" has a @DynamoLocked of its own"),
                mistake(TwiceLockedFallback.class, "its fallbackMethod \"later\" has a @DynamoLocked of its own"),
                mistake(
                        SkipsAndFallsBack.class,
                        "of onTimeout = SKIP, fallbackMethod and timeoutException it has more"),
                mistake(FallsBackAndThrows.class, "it has more than one."),
                mistake(ThrowsWhatCannotBeMade.class, "the timeoutException OfANumber cannot be made."),
                mistake(AfterConstruction.class, "Spring calls a @PostConstruct method on the object itself"),
                mistake(BeforeDestruction.class, "Spring calls a @PreDestroy method on the object itself"),
                mistake(
                        SkippedButNeverNull.class,
                        "onTimeout = SKIP gives nothing, but the method must give a String."),
                mistake(Suspends.class, "it suspends and returns a Flux."));
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
                .hasMessageNotContaining("KeyRoot")
                .hasMessageContaining(message)
                .hasMessageNotContaining("'secret'");
        assertThat(cause.getMessage()).isEqualTo(cause.problem() + " " + cause.remedy());
        assertThat(cause.remedy()).isNotBlank();
    }

    @Test
    void aFinalClassStopsTheApplicationToo() {
        assertThatThrownBy(() -> new AspectContext(FinalClass.class).close())
                .hasStackTraceContaining("Cannot subclass final class " + FinalClass.class.getName());
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
