package io.dynamolock.spring.internal.declarations;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.spring.annotation.DynamoLocked;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

class LockedMethodsTest {

    private final AtomicInteger readings = new AtomicInteger();

    /** Reading a method asks for the default wait. */
    private final LockedMethods methods = new LockedMethods(new DefaultListableBeanFactory(), () -> {
        readings.incrementAndGet();
        return Duration.ZERO;
    });

    interface Shop {

        void order(String customer);
    }

    static class Orders implements Shop {

        @Override
        @DynamoLocked(key = "'customer:' + #customer")
        public void order(String customer) {}

        public void list() {}
    }

    @DynamoLocked(key = "'all'")
    static class Cleaner implements DisposableBean {

        @Override
        public void destroy() {}
    }

    @Test
    void aLockOnAClassDoesNotRefuseItsCallbackOfSpring() {
        assertThat(methods.existIn(Cleaner.class)).isTrue();
    }

    @Test
    void annotationsAreReadAndKeysParsedOnceBeforeTheFirstCall() throws NoSuchMethodException {
        Method own = Orders.class.getMethod("order", String.class);
        Method ofInterface = Shop.class.getMethod("order", String.class);

        assertThat(methods.existIn(Orders.class)).isTrue();
        LockedMethod locked = methods.find(own, Orders.class);
        int readAtStart = readings.get();

        for (int call = 0; call < 3; call++) {
            assertThat(methods.find(own, Orders.class)).isSameAs(locked);
            assertThat(methods.find(ofInterface, Orders.class)).isSameAs(locked);
            assertThat(methods.find(Orders.class.getMethod("list"), Orders.class))
                    .isNull();
        }
        assertThat(locked).isNotNull();
        assertThat(readings).hasPositiveValue().hasValue(readAtStart);
    }
}
