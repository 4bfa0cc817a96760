package io.dynamolock.spring.internal.declarations;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.NonNull;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class NonNullResultsTest {

    interface Unmarked {

        int number();

        void nothing();

        String text();

        @NonNull
        String certainText();

        Optional<String> perhaps();
    }

    @NullMarked
    interface Marked {

        int number();

        void nothing();

        String text();

        @Nullable
        String perhapsText();

        @NullUnmarked
        String anyText();

        interface Inside {

            String text();
        }

        @NullUnmarked
        interface Outside {

            String text();

            @NullMarked
            String markedText();
        }
    }

    static Stream<Method> methods() {
        return Stream.of(
                        Unmarked.class,
                        Marked.class,
                        Marked.Inside.class,
                        Marked.Outside.class,
                        // Of a package that is marked.
                        NonNullResults.class,
                        // Written in Kotlin.
                        kotlin.text.MatchResult.class,
                        kotlin.collections.IndexedValue.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()))
                .filter(method -> !method.isSynthetic())
                // Kotlin's getters of properties, of which the older Spring says nothing, cannot be locked.
                .filter(method -> !(method.getDeclaringClass().getName().startsWith("kotlin.")
                        && method.getName().startsWith("get")));
    }

    @ParameterizedTest
    @MethodSource("methods")
    void withoutSpring7TheAnswerIsTheSame(Method method) {
        assertThat(NonNullResults.includesBeforeSpring7(method)).isEqualTo(NonNullResults.includes(method));
    }
}
