package io.dynamolock.spring.internal.declarations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Which methods may stand in for others. */
class FallbackTest {

    abstract static class Base<T, U> {

        public Mono<List<T>> run(T argument) {
            return Mono.empty();
        }

        public static void ofClass() {}

        public <R> Mono<R> anything(R argument) {
            return Mono.empty();
        }

        public <C extends Comparable<C>> @Nullable C least() {
            return null;
        }

        void ofBoth(Object argument) {}

        Mono<List<T>> ofAnother(U argument) {
            return Mono.empty();
        }
    }

    static class OfStrings extends Base<String, Integer> {

        Mono<List<String>> ofStrings(String argument) {
            return Mono.empty();
        }

        Mono<List<Integer>> ofNumbers(String argument) {
            return Mono.empty();
        }

        Mono<List<String>> ofAnything(Object argument) {
            return Mono.empty();
        }

        void ofObject() {}

        static void alsoOfClass() {}

        <R> Mono<R> instead(R argument) {
            return Mono.empty();
        }

        <E extends Enum<E>> List<E> ofEnums() {
            return List.of();
        }

        Mono<List<String>> ofBoth(String argument) {
            return Mono.empty();
        }
    }

    private static Fallback find(String fallback, String locked) {
        return Fallback.find(
                fallback,
                Arrays.stream(Base.class.getDeclaredMethods())
                        .filter(method -> method.getName().equals(locked))
                        .findFirst()
                        .orElseThrow(),
                OfStrings.class,
                "OfStrings." + locked);
    }

    @Test
    void typeParametersAreWhatTheClassMakesOfThem() {
        assertThat(find("ofStrings", "run")).isNotNull();
        assertThatExceptionOfType(InvalidDynamoLockedException.class)
                .isThrownBy(() -> find("ofNumbers", "run"))
                .withMessageContaining("returns Mono<List<Integer>>, not Mono<List<String>>.");
        assertThat(find("instead", "anything")).isNotNull();
    }

    @Test
    void aTypeThatIsMadeOfItselfIsNamedAsAnything() {
        assertThatExceptionOfType(InvalidDynamoLockedException.class)
                .isThrownBy(() -> find("ofEnums", "least"))
                .withMessageContaining("returns List<?>, not ?.");
    }

    @Test
    void aFallbackHasTheParametersThatTheClassMakesOfTheTypeParameters() {
        assertThat(find("ofBoth", "run")).isNotNull();
        assertThatExceptionOfType(InvalidDynamoLockedException.class)
                .isThrownBy(() -> find("ofAnother", "run"))
                .withMessageContaining("the fallbackMethod \"ofAnother\" does not exist in OfStrings.");
    }

    @Test
    void aFallbackMayTakeAnObjectForATypeParameter() {
        assertThat(find("ofAnything", "run")).isNotNull();
    }

    /** As woven code may lock them. */
    @Test
    void aStaticMethodHasNoObjectToCallAnotherOn() {
        assertThat(find("alsoOfClass", "ofClass")).isNotNull();
        assertThatExceptionOfType(InvalidDynamoLockedException.class)
                .isThrownBy(() -> find("ofObject", "ofClass"))
                .withMessageContaining("Write one method static void ofObject()");
    }
}
