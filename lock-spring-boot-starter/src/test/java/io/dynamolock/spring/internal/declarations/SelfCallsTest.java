package io.dynamolock.spring.internal.declarations;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.AspectContext;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class SelfCallsTest {

    static class Orders {

        private Orders self = this;

        @DynamoLocked(key = "#id")
        public void place(String id) {}

        public void direct() {
            place("1");
        }

        public void inALambda(List<String> ids) {
            ids.forEach(id -> place(id));
        }

        public void byReference(List<String> ids) {
            ids.forEach(this::place);
        }

        public void throughTheProxy() {
            self.place("1");
        }

        public void ofAnother(Orders other) {
            other.place("1");
        }

        @DynamoLocked(key = "'all'")
        public void underAnotherLock() {
            place("1");
        }

        public void notAtAll() {
            direct();
        }
    }

    static class Blameless {

        @DynamoLocked(key = "#id")
        public void place(String id) {}
    }

    private static Set<String> callers(Class<?> type) {
        List<Method> locked = Arrays.stream(type.getDeclaredMethods())
                .filter(method -> method.isAnnotationPresent(DynamoLocked.class))
                .toList();
        return SelfCalls.in(type, locked);
    }

    @Test
    void findsCallsOfTheSameObjectAndNoOthers() {
        assertThat(callers(Orders.class)).containsExactly("byReference", "direct", "inALambda");
        assertThat(callers(Blameless.class)).isEmpty();
    }

    @Test
    void theStartWarnsOfSelfCallsOnce(CapturedOutput output) {
        new AspectContext(Orders.class, Blameless.class).close();
        assertThat(output)
                .containsOnlyOnce("Orders calls its own @DynamoLocked methods in byReference, direct, inALambda:"
                        + " such a call passes no proxy and takes no lock.")
                .doesNotContain("Blameless calls");
    }
}
