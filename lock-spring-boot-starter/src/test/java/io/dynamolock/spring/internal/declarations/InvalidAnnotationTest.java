package io.dynamolock.spring.internal.declarations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.dynamolock.LockMode;
import io.dynamolock.spring.BaseInAnotherPackage;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import io.dynamolock.spring.annotation.OnTimeout;
import io.dynamolock.spring.aspect.AspectContext;
import io.reactivex.rxjava3.core.Single;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.time.Duration;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.ResponseEntity;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A mistake in an annotation stops the application when the bean is created. */
class InvalidAnnotationTest {

    private static final String QUOTES =
            "A text needs quotes of its own, and + joins it with values: 'customer:' + #id.";

    static class OwnFuture extends CompletableFuture<String> {}

    static class OfANumber extends RuntimeException {

        private static final long serialVersionUID = 1L;

        OfANumber(int number) {
            super("number " + number);
        }
    }

    static class Order {}

    record Seat(String hall) {}

    @SuppressWarnings("unused")
    static class Mistakes implements InitializingBean, DisposableBean {

        @DynamoLocked
        public void noKey() {}

        @DynamoLocked(key = "'a")
        public void badSyntax() {}

        @DynamoLocked(key = "nightly-report job")
        public void constantWithoutQuotes() {}

        @DynamoLocked(key = "'c:' + (#customer ?: 'x')")
        public void unknownParameter(String customerId) {}

        @DynamoLocked(key = "#p1")
        public void parameterOutOfRange(String customerId) {}

        @DynamoLocked(key = "'a'", waitTime = "soon")
        public void badWait() {}

        @DynamoLocked(key = "'a'", waitTime = "60")
        public void waitWithoutUnit() {}

        @DynamoLocked(key = "'a'", waitTime = "${no.such.property}")
        public void unknownPlaceholder() {}

        @DynamoLocked(key = "'a'", namespace = "${no.such.property:}")
        public void emptyPlaceholder() {}

        @DynamoLocked(key = "'a'", maxHold = "0")
        public void noHold() {}

        @DynamoLocked(key = "'a'", holdAtLeast = "forever")
        public void heldForever() {}

        @DynamoLocked(key = "'a'", maxHold = "1s", holdAtLeast = "2s")
        public void leastOverMost() {}

        @DynamoLocked(key = "'a'", namespace = "a/b")
        public void badNamespace() {}

        @DynamoLocked(key = "'mails'", namespace = "leader")
        public void namespaceOfElections() {}

        @DynamoLocked(key = "'job'", namespace = "${jobs:shedlock}")
        public void namespaceOfShedLock() {}

        @DynamoLocked(key = "'a'")
        public final void isFinal() {}

        @DynamoLocked(key = "'a'")
        public FutureTask<String> returnsTask() {
            return new FutureTask<>(() -> "");
        }

        @DynamoLocked(key = "'a'")
        public OwnFuture returnsOwnFuture() {
            return new OwnFuture();
        }

        @DynamoLocked(key = "'a'")
        public ConnectableFlux<String> returnsConnectable() {
            return Flux.just("").publish();
        }

        @DynamoLocked(key = "'a'")
        public Mono<Flux<String>> returnsFluxInMono() {
            return Mono.empty();
        }

        @DynamoLocked(key = "'a'")
        public CompletableFuture<List<Stream<String>>> returnsStreamInFuture() {
            return CompletableFuture.completedFuture(List.of());
        }

        @DynamoLocked(key = "'a'", onTimeout = OnTimeout.SKIP)
        public Single<String> skippedButNeverEmpty() {
            return Single.just("");
        }

        @DynamoLocked(key = "'a'")
        public Callable<String> returnsCallable() {
            return () -> "";
        }

        @DynamoLocked(key = "'a'")
        public DeferredResult<String> returnsDeferredResult() {
            return new DeferredResult<>();
        }

        @DynamoLocked(key = "'a'")
        public Stream<String> returnsStream() {
            return Stream.of();
        }

        @DynamoLocked(key = "'a'")
        public Supplier<String> returnsSupplier() {
            return () -> "";
        }

        @DynamoLocked(key = "'a'")
        public ResponseEntity<StreamingResponseBody> returnsStreamingResponse() {
            return ResponseEntity.ok(out -> {});
        }

        @DynamoLocked(key = "'a'")
        public ResponseEntity<Mono<String>> returnsMonoInAnswer() {
            return ResponseEntity.ok(Mono.empty());
        }

        @DynamoLocked(key = "'a'")
        public List<CompletableFuture<String>> returnsFutures() {
            return List.of();
        }

        @DynamoLocked(key = "'a'")
        public Future<?>[] returnsArrayOfFutures() {
            return new Future<?>[0];
        }

        @DynamoLocked(key = "'a'")
        public Optional<Map<String, ? extends Future<String>>> returnsMaybeFuture() {
            return Optional.empty();
        }

        @DynamoLocked(key = "nightly-report")
        public void constantThatParses() {}

        @DynamoLocked(key = "customerId")
        public void parameterWithoutHash(String customerId) {}

        @DynamoLocked(key = "'${no.such.property}'")
        public void unknownPlaceholderInKey() {}

        @DynamoLocked(key = "'a'", keys = "'b'")
        public void keyAndKeys() {}

        @DynamoLocked(keys = {"'b'", " "})
        public void blankAmongKeys() {}

        @DynamoLocked(keys = {"#id", "#nothing"})
        public void secondKeyUnknown(String id) {}

        @DynamoLocked(
                key = "'a'",
                mode = {LockMode.SHARED, LockMode.EXCLUSIVE})
        public void twoModes() {}

        @DynamoLocked(
                key = "'a'",
                awaitRelease = {true, false})
        public void twoWaysToEnd() {}

        @DynamoLocked(key = "'a'", condition = "#id ==")
        public void badCondition(String id) {}

        @DynamoLocked(key = "'a'", condition = "id != null")
        public void conditionWithoutHash(String id) {}

        @DynamoLocked(key = "'a'", timeoutException = OfANumber.class)
        public void throwsWhatCannotBeMade() {}

        @PostConstruct
        @DynamoLocked(key = "'a'")
        public void afterConstruction() {}

        @PreDestroy
        @DynamoLocked(key = "'a'")
        public void beforeDestruction() {}

        @Override
        @DynamoLocked(key = "'a'")
        public void afterPropertiesSet() {}

        @Override
        @DynamoLocked(key = "'a'")
        public void destroy() {}

        @DynamoLocked(key = "'a'", onTimeout = OnTimeout.SKIP)
        public @NonNull String skippedButNeverNull() {
            return "";
        }

        @DynamoLocked(key = "'a'")
        public Object suspends(kotlin.coroutines.Continuation<? super Flux<String>> continuation) {
            return "";
        }

        @DynamoLocked(key = "#seat.${part:hall}")
        public void placeholderOfAName(Seat seat) {}

        @DynamoLocked(key = "${function:f}(#seat.hall)")
        public void placeholderOfAFunction(Seat seat) {}

        @DynamoLocked(key = "@${bean:secret}.current()")
        public void placeholderOfABean() {}

        @DynamoLocked(key = "#id % ${part:hall}")
        public void calculatesWithAText(int id) {}

        @DynamoLocked(key = "'x' + T(String).format('%s:%s', #a, #b)")
        public void format(String a, String b) {}

        @DynamoLocked(key = "#ids.isEmpty() ? 'none' : T(java.lang.String).join(',', #ids)")
        public void join(List<String> ids) {}

        @DynamoLocked(key = "'%s'.formatted(#id)")
        public void formatted(String id) {}

        @DynamoLocked(key = "#id.formatted(#other)")
        public void formattedArgument(String id, Object other) {}

        @DynamoLocked(key = "('%s' + #id).formatted()")
        public void formattedSum(String id) {}

        @DynamoLocked(key = "'%s'.format('%s', #id)")
        public void formatOfAText(String id) {}

        @DynamoLocked(key = "'x:'.concat(#id)")
        public void concat(Object id) {}

        @DynamoLocked(key = "#ids.![concat(#part)]")
        public void concatOfElements(List<String> ids, String part) {}

        @DynamoLocked(key = "new String[] {'x:' + #id}[0]")
        public void joinsInAnArray(Object id) {}

        @DynamoLocked(key = "('x:' + #id) matches 'x:[0-9]+'")
        public void joinsBesideMatches(Object id) {}

        @DynamoLocked(key = "'a'", condition = "new int[${count:3} * 2].length > #n")
        public void calculatesTheSizeOfAnArray(int n) {}

        @DynamoLocked(key = "'a'", condition = "#counts[${count:3} - 1]++ > 3")
        public void calculatesBesideAnIncrement(int[] counts) {}

        @DynamoLocked(key = "#id")
        public void optionalKey(Optional<String> id) {}

        @DynamoLocked(key = "#order")
        public void entityKey(Order order) {}

        @DynamoLocked(key = "#hash")
        public void bytesAsKey(byte[] hash) {}

        @DynamoLocked(key = "#settings")
        public void mapAsKey(Map<String, String> settings) {}

        @DynamoLocked(key = "customer:#id")
        public void textWithoutQuotes(String id) {}

        @DynamoLocked(key = "customer-#id.length")
        public void textThatParses(String id) {}

        @DynamoLocked(key = "#{#region}:#{#id}:x")
        public void template(String region, String id) {}

        @DynamoLocked(key = "#id")
        public void noParameters() {}

        @DynamoLocked(key = "'a'", fallbackMethod = "shorter")
        public String noFallback(String id, int amount) {
            return id;
        }

        public String shorter(String id) {
            return id;
        }

        @DynamoLocked(key = "'a'", fallbackMethod = "twice")
        public void twoFallbacks(String id) {}

        void twice(String id) {}

        void twice(String id, Exception e) {}

        @DynamoLocked(key = "'a'", fallbackMethod = "ofAnother")
        public void fallbackForAnotherException() {}

        void ofAnother(IllegalStateException e) {}

        @DynamoLocked(key = "'a'", fallbackMethod = "text")
        public int fallbackOfAnotherType() {
            return 1;
        }

        String text() {
            return "1";
        }

        @DynamoLocked(key = "'a'", fallbackMethod = "numbers")
        public Mono<String> fallbackOfAnotherElement() {
            return Mono.empty();
        }

        Mono<Integer> numbers() {
            return Mono.empty();
        }

        @DynamoLocked(key = "'a'", fallbackMethod = "locked")
        public void lockedFallback() {}

        @DynamoLocked(key = "'b'")
        public void locked() {}

        @DynamoLocked(key = "'a'", fallbackMethod = "lockedTwice")
        public void twiceLockedFallback() {}

        @DynamoLocked(key = "'b'")
        @DynamoLocked(key = "'c'")
        public void lockedTwice() {}

        @DynamoLocked(key = "'a'", onTimeout = OnTimeout.SKIP, fallbackMethod = "later")
        public void skipsAndFallsBack() {}

        @DynamoLocked(key = "'a'", timeoutException = IllegalStateException.class, fallbackMethod = "later")
        public void fallsBackAndThrows() {}

        void later() {}
    }

    static List<Arguments> mistakes() {
        return List.of(
                arguments(
                        "placeholderOfAName",
                        "\"#seat.${part:hall}\" is not an expression. A placeholder gives a value"),
                arguments("placeholderOfAFunction", "is not an expression. A placeholder gives a value"),
                arguments("placeholderOfABean", "is not an expression. A placeholder gives a value: join it"),
                arguments("optionalKey", "takes #id: a java.util.Optional cannot be a key. Take a string,"),
                arguments("entityKey", "takes #order: a " + Order.class.getName() + " cannot be a key. Take a string,"),
                arguments("bytesAsKey", "a byte[] cannot be a key. Make a text of it"),
                arguments("mapAsKey", "a java.util.Map cannot be a key: it is a collection"),
                arguments("textWithoutQuotes", QUOTES),
                arguments("textThatParses", QUOTES),
                arguments("template", QUOTES),
                arguments("noParameters", "The method has no parameters: give it one, or write a text in quotes."),
                arguments("noKey", "it has no key"),
                arguments(
                        "calculatesWithAText",
                        "the key \"#id % ${part:hall}\" calculates with a text that is no number. Set the property"),
                arguments(
                        "format", "calls String.format, which makes a text of anything, also of null. Join the parts"),
                arguments("join", "calls String.join, which makes a text of anything"),
                arguments("formatted", "calls String.formatted, which makes a text of anything"),
                arguments("formattedArgument", "calls String.formatted, which makes a text of anything"),
                arguments("formattedSum", "calls String.formatted, which makes a text of anything"),
                arguments("formatOfAText", "calls String.format, which makes a text of anything"),
                arguments("concat", "calls String.concat, which makes a text of anything. Join the parts by +"),
                arguments("concatOfElements", "calls String.concat, which makes a text of anything."),
                arguments("joinsInAnArray", "the key \"new String[] {'x:' + #id}[0]\" calculates with a text or joins"),
                arguments("joinsBesideMatches", "or joins values inside an array, or beside matches, ++ or --, where"),
                arguments(
                        "calculatesTheSizeOfAnArray",
                        "the condition \"new int[${count:3} * 2].length > #n\" calculates with a text or joins values"),
                arguments(
                        "calculatesBesideAnIncrement",
                        "where that cannot be checked. Calculate and join in a method of a bean, or take a record"),
                arguments("badSyntax", "the key \"'a\" is not an expression"),
                arguments("constantWithoutQuotes", QUOTES),
                arguments("unknownParameter", "uses #customer, which is not a parameter"),
                arguments("unknownParameter", "Its parameters are: customerId"),
                arguments("parameterOutOfRange", "uses #p1"),
                arguments("badWait", "waitTime = 'soon' is not a duration"),
                arguments("waitWithoutUnit", "waitTime = '60' has no unit"),
                arguments("unknownPlaceholder", "no.such.property"),
                arguments("emptyPlaceholder", "namespace = \"${no.such.property:}\" gives nothing"),
                arguments("noHold", "maxHold must be more than zero"),
                arguments("heldForever", "holdAtLeast cannot be 'forever'"),
                arguments("leastOverMost", "holdAtLeast (PT2S) must not be longer than maxHold (PT1S)"),
                arguments("badNamespace", "a/b"),
                arguments("namespaceOfElections", "'leader' is that of elections"),
                arguments("namespaceOfShedLock", "'shedlock' is that of elections"),
                arguments("isFinal", "the method is final"),
                arguments("returnsTask", "it returns a FutureTask. The lock would be released before the work ends."),
                arguments("returnsOwnFuture", "a OwnFuture, which must be declared as a CompletableFuture."),
                arguments("returnsConnectable", "a ConnectableFlux, which must be declared as a Flux."),
                arguments("returnsFluxInMono", "it returns a Mono with a Flux in it."),
                arguments("returnsStreamInFuture", "it returns a CompletableFuture with a Stream in it."),
                arguments("skippedButNeverEmpty", "onTimeout = SKIP gives nothing, but the method must give a Single."),
                arguments("returnsCallable", "it returns a Callable, which does its work only when it is used."),
                arguments("returnsDeferredResult", "it returns a DeferredResult"),
                arguments("returnsStream", "it returns a Stream."),
                arguments("returnsSupplier", "it returns a Supplier, which does its work only when it is used."),
                arguments(
                        "returnsStreamingResponse", "it returns a ResponseEntity with a StreamingResponseBody in it."),
                arguments("returnsMonoInAnswer", "it returns a ResponseEntity with a Mono in it."),
                arguments("returnsFutures", "it returns a List with a CompletableFuture in it."),
                arguments("returnsArrayOfFutures", "it returns a Future[] with a Future in it."),
                arguments("returnsMaybeFuture", "it returns a Optional with a Future in it."),
                arguments("constantThatParses", "names no parameter, bean, type or text: nightly."),
                arguments("constantThatParses", QUOTES),
                arguments("parameterWithoutHash", "A parameter is written with a hash: #customerId."),
                arguments("unknownPlaceholderInKey", "no.such.property"),
                arguments("keyAndKeys", "it has both key and keys."),
                arguments("blankAmongKeys", "its key is blank."),
                arguments("secondKeyUnknown", "uses #nothing"),
                arguments("twoModes", "it has several modes."),
                arguments("twoWaysToEnd", "it has several values of awaitRelease."),
                arguments("badCondition", "the condition \"#id ==\" is not an expression"),
                arguments(
                        "conditionWithoutHash",
                        "the condition \"id != null\" names no parameter, bean, type or text: id. A parameter is written"
                                + " with a hash: #id."),
                arguments("noFallback", "the fallbackMethod \"shorter\" does not exist in Mistakes."),
                arguments("noFallback", "Write one method String shorter(String, int), or with a LockTimeoutException"),
                arguments("twoFallbacks", "the fallbackMethod \"twice\" exists twice in Mistakes."),
                arguments("fallbackForAnotherException", "\"ofAnother\" does not exist"),
                arguments("fallbackOfAnotherType", "its fallbackMethod \"text\" returns String, not int."),
                arguments("fallbackOfAnotherElement", "\"numbers\" returns Mono<Integer>, not Mono<String>."),
                arguments("lockedFallback", "its fallbackMethod \"locked\" has a @DynamoLocked of its own"),
                arguments("twiceLockedFallback", "its fallbackMethod \"lockedTwice\" has a @DynamoLocked of its own"),
                arguments("skipsAndFallsBack", "of onTimeout = SKIP, fallbackMethod and timeoutException it has more"),
                arguments("fallsBackAndThrows", "it has more than one."),
                arguments("throwsWhatCannotBeMade", "the timeoutException OfANumber cannot be made."),
                arguments("afterConstruction", "Spring calls a lifecycle method on the object itself"),
                arguments("beforeDestruction", "Spring calls a lifecycle method on the object itself"),
                arguments("afterPropertiesSet", "Spring calls a lifecycle method on the object itself"),
                arguments("destroy", "Spring calls a lifecycle method on the object itself"),
                arguments("skippedButNeverNull", "onTimeout = SKIP gives nothing, but the method must give a String."),
                arguments("suspends", "it suspends and returns a Flux."));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void everyMistakeIsToldWithItsMethodAndARemedy(String method, String message) {
        GenericApplicationContext application = new GenericApplicationContext();
        application.refresh();
        LockedMethodReader reader = new LockedMethodReader(application.getBeanFactory(), () -> Duration.ZERO);
        Method mistaken = Stream.of(Mistakes.class.getDeclaredMethods())
                .filter(each -> each.getName().equals(method))
                .findFirst()
                .orElseThrow();
        assertThatExceptionOfType(InvalidDynamoLockedException.class)
                .isThrownBy(() -> reader.read(mistaken, Mistakes.class, false))
                .satisfies(cause -> assertTells(cause, "Mistakes." + method, message));
    }

    private static void assertTells(InvalidDynamoLockedException cause, String method, String message) {
        assertThat(cause)
                .hasMessageContaining("@DynamoLocked on " + method + "(")
                .hasMessageNotContaining("KeyRoot")
                .hasMessageContaining(message)
                .hasMessageNotContaining("'secret'");
        assertThat(cause.getMessage()).isEqualTo(cause.problem() + " " + cause.remedy());
        assertThat(cause.remedy()).isNotBlank();
    }

    // Beans with mistakes

    static class SecondOfTwo {
        @DynamoLocked(key = "'a'")
        public void good() {}

        @DynamoLocked(key = "#nothing")
        public void run() {}
    }

    @SuppressWarnings("unused")
    static class Private {
        @DynamoLocked(key = "'a'")
        private void run() {}
    }

    static class InheritsWhatItDoesNotSee extends BaseInAnotherPackage {}

    static class Static {
        @DynamoLocked(key = "'a'")
        public static void run() {}
    }

    abstract static class Typed<T> {
        @DynamoLocked(key = "'a'")
        public T run() {
            throw new AssertionError();
        }
    }

    static class TypedByItsClass extends Typed<Callable<String>> {}

    static class Generic<T> {
        @DynamoLocked(key = "#item")
        public void run(T item) {}
    }

    static class GenericOfOrders extends Generic<Order> {}

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

    static final class FinalClass {
        @DynamoLocked(key = "'a'")
        public void run() {}
    }

    static List<Arguments> beans() {
        return List.of(
                arguments(GenericOfOrders.class, "takes #item: a " + Order.class.getName() + " cannot be a key."),
                arguments(SecondOfTwo.class, "uses #nothing"),
                arguments(Private.class, "the method is private"),
                arguments(Static.class, "the method is static"),
                arguments(InheritsWhatItDoesNotSee.class, "package-private in a superclass of another package"),
                arguments(TypedByItsClass.class, "it returns a Callable, which does its work only when it is used."),
                arguments(
                        SeveralOnTheClassAndOneOfItsOwn.class,
                        "its class has several locks and the method one of its own"));
    }

    @ParameterizedTest
    @MethodSource("beans")
    void aMistakeStopsTheApplication(Class<?> bean, String message) {
        assertThatThrownBy(() -> new AspectContext(bean).close())
                .rootCause()
                .isInstanceOfSatisfying(
                        InvalidDynamoLockedException.class,
                        cause -> assertTells(cause, bean.getSimpleName() + ".run", message));
    }

    @Test
    void aFinalClassStopsTheApplicationToo() {
        assertThatThrownBy(() -> new AspectContext(FinalClass.class).close())
                .hasStackTraceContaining("Cannot subclass final class " + FinalClass.class.getName());
    }
}
