package io.dynamolock.spring.internal.declarations;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockRequest;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.AspectContext;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;

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

    abstract static class Handler<T> {

        public void handle(T message) {
            doHandle(message);
        }

        public void overridden(T message) {
            doHandle(message);
        }

        protected abstract void doHandle(T message);
    }

    static class Inherits extends Handler<String> {

        @Override
        @DynamoLocked(key = "#message")
        protected void doHandle(String message) {}

        @Override
        public void overridden(String message) {}
    }

    static class InheritsLocked extends Inherits {

        public void bySuper() {
            super.doHandle("1");
        }
    }

    interface Shop {

        void sell(String id);

        default void sellTwo(String id) {
            sell(id);
            sell(id);
        }
    }

    static class Implements implements Shop {

        @Override
        @DynamoLocked(key = "#id")
        public void sell(String id) {}
    }

    static class Decorates implements Shop {

        private final Shop shop;

        Decorates(Shop shop) {
            this.shop = shop;
        }

        @Override
        @DynamoLocked(key = "#id")
        public void sell(String id) {}

        public void throughAnother(String id) {
            shop.sell(id);
        }
    }

    @SuppressWarnings({"unused", "Convert2Lambda", "ClassCanBeStatic"})
    static class Contains {

        private final List<Contains> others = List.of();

        @DynamoLocked(key = "#id")
        public void sell(String id) {}

        public Runnable anonymous() {
            return new Runnable() {
                @Override
                public void run() {
                    sell("1");
                }
            };
        }

        @DynamoLocked(key = "'all'")
        public void locked() {
            new Object() {
                void run() {
                    sell("1");
                }
            }.run();
        }

        public void ofAnother() {
            new Object() {
                void run() {
                    others.get(0).sell("1");
                }
            }.run();
        }

        class Inner {

            class Innermost {

                void work() {
                    sell("1");
                }
            }

            void work() {
                Runnable later = () -> sell("2");
                later.run();
            }
        }

        static class Nested {

            private final Contains contains;

            Nested(Contains contains) {
                this.contains = contains;
            }

            void work() {
                contains.sell("1");
            }
        }
    }

    static class Advised {

        private final Advised self;

        Advised(@Lazy Advised self) {
            this.self = self;
        }

        @DynamoLocked(key = "#id")
        public void sell(String id) {}

        public void sellTwo() {
            self.sell("1");
            self.sell("2");
        }
    }

    private static Set<String> callers(Class<?> type) {
        Set<Method> locked = MethodIntrospector.selectMethods(
                type, (Method method) -> AnnotatedElementUtils.hasAnnotation(method, DynamoLocked.class));
        return SelfCalls.in(type, locked);
    }

    @Test
    void findsCallsOfTheSameObjectAndNoOthers() {
        assertThat(callers(Orders.class)).containsExactly("byReference", "direct", "inALambda");
        assertThat(callers(Blameless.class)).isEmpty();
    }

    @Test
    void findsCallsOfInheritedMethodsAndOfMethodsOfInterfaces() {
        assertThat(callers(Inherits.class)).containsExactly("SelfCallsTest.Handler.handle");
        assertThat(callers(InheritsLocked.class)).containsExactly("SelfCallsTest.Handler.handle", "bySuper");
        assertThat(callers(Implements.class)).containsExactly("SelfCallsTest.Shop.sellTwo");
        assertThat(callers(Decorates.class)).containsExactly("SelfCallsTest.Shop.sellTwo");
    }

    @Test
    void findsCallsInInnerAndAnonymousClasses() {
        assertThat(callers(Contains.class))
                .containsExactly(
                        "SelfCallsTest.Contains.Inner.Innermost.work",
                        "SelfCallsTest.Contains.Inner.work",
                        "anonymous");
    }

    @Test
    void whatTheWarningAdvisesTakesTheLock() {
        try (AspectContext context = new AspectContext(Advised.class)) {
            context.bean(Advised.class).sellTwo();
            assertThat(context.locks.requests).extracting(LockRequest::key).containsExactly("1", "2");
        }
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
