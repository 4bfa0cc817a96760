package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.LockRequest;
import io.dynamolock.LockTimeoutException;
import io.dynamolock.StandIn;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.LockKeyException;
import io.dynamolock.spring.annotation.OnTimeout;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AliasFor;

class DynamoLockedTest {

    @AutoClose
    private final AspectContext context = new AspectContext(
            Map.of("orders.wait", "3s", "orders.namespace", "orders"),
            Orders.class,
            Everything.class,
            Beans.class,
            Keys.class,
            WithDefaults.class,
            DefaultsWithoutKey.class,
            ParcelService.class,
            TextStore.class);

    private final FakeLockRegistry locks = context.locks;
    private final Orders orders = context.bean(Orders.class);

    static class Orders {

        @DynamoLocked(key = "#customerId")
        public String plain(String customerId, int amount) {
            return customerId + amount;
        }

        @DynamoLocked(
                key = "'customer:' + #customerId",
                namespace = "${orders.namespace}",
                name = "place-${orders.namespace}",
                waitTime = "${orders.wait}",
                maxHold = "PT2M",
                holdAtLeast = "500ms",
                awaitRelease = true)
        public void full(String customerId) {}

        @DynamoLocked(key = "#p0", waitTime = "0")
        public void first(Object any) {}

        @DynamoLocked(key = "#id.substring(5)")
        public void shortened(String id) {}

        @DynamoLocked(key = "#id", waitTime = "forever", maxHold = "forever")
        public void patient(long id) {}

        @DynamoLocked(key = "#id")
        protected String notPublic(String id) {
            return id;
        }

        @DynamoLocked(key = "'x'")
        public void fails() throws IOException {
            throw new IOException("disk full");
        }
    }

    static class Everything {

        @DynamoLocked(
                key = "#a0 + '/' + #root.args[1] + '/' + #root.method.name + '/' + #root.target.tenant()"
                        + " + '/' + @suffix.get() + '/' + T(java.lang.Math).abs(-5)")
        public void everything(String a, int b) {}

        public String tenant() {
            return "acme";
        }
    }

    static class Suffix {

        public String get() {
            return "suffix";
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        Suffix suffix() {
            return new Suffix();
        }

        @Bean
        Skipped skipped() {
            return StandIn.of(Skipped.class, (method, arguments) -> {
                throw new AssertionError("the method was entered");
            });
        }
    }

    @Test
    void runsTheMethodUnderTheLockAndReleasesIt() {
        assertThat(orders.plain("42", 7)).isEqualTo("427");
        assertThat(locks.onlyRequest())
                .isEqualTo(LockRequest.of("42").name("Orders.plain").waitTime(Duration.ofSeconds(60)));
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @DynamoLocked(key = "'k'", awaitRelease = true)
    static class Awaited {

        public void asTheClass() {}

        @DynamoLocked(awaitRelease = false)
        public void otherwise() {}
    }

    @Test
    void aMethodMayAwaitItsReleaseOtherwiseThanItsClass() {
        Awaited awaited = LockedProxy.of(new Awaited(), locks);
        awaited.asTheClass();
        awaited.otherwise();
        assertThat(locks.requests)
                .extracting(LockRequest::awaitRelease)
                .containsExactly(Optional.of(true), Optional.of(false));
    }

    @Test
    void passesEveryAttributeOn() {
        orders.full("42");
        assertThat(locks.onlyRequest())
                .isEqualTo(LockRequest.of("customer:42")
                        .namespace("orders")
                        .name("place-orders")
                        .waitTime(Duration.ofSeconds(3))
                        .maxHold(Duration.ofMinutes(2))
                        .holdAtLeast(Duration.ofMillis(500))
                        .awaitRelease(true));
    }

    @Test
    void waitsForeverIfTold() {
        orders.patient(1);
        assertThat(locks.onlyRequest().waitTime()).contains(LockRequest.FOREVER);
        assertThat(locks.onlyRequest().maxHold()).isEmpty();
    }

    @Test
    void keysMayUseEveryOtherPartOfTheLanguage() {
        Keys keys = context.bean(Keys.class);
        keys.ofRoot("a");
        keys.ofElements(List.of("b", "a"));
        keys.ofMap(Map.of("region", "eu"));
        keys.ofPlaceholder("a");
        keys.ofMethodName();
        assertThat(locks.requests)
                .extracting(LockRequest::key)
                .containsExactly("ofRoot/a/1", "b!", "eu/west", "orders:a", "ofMethodName");
    }

    static class Keys {

        @DynamoLocked(key = "method.name + '/' + args[0] + '/' + getArgs().length")
        public void ofRoot(String a) {}

        @DynamoLocked(key = "#names.?[length() == 1].![#this + '!'][0]")
        public void ofElements(List<String> names) {}

        @DynamoLocked(key = "#settings[region] + '/' + {zone: 'west'}['zone']")
        public void ofMap(Map<String, String> settings) {}

        @DynamoLocked(key = "'${orders.namespace}:' + #id")
        public void ofPlaceholder(String id) {}

        @DynamoLocked(key = "#root.methodName")
        public void ofMethodName() {}
    }

    @Test
    void aKeyThatIsNeitherOneNorSeveralIsAnErrorThatSaysWhatToDo() {
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> orders.first(Map.of("a", "b")))
                .withMessageContaining("cannot be a key: it is a collection")
                .withMessageContaining("Take a Collection or an array of keys");
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> orders.first(new Tags()))
                .withMessageContaining("the key is an empty collection, so nothing would be locked");
    }

    static class Tags extends ArrayList<String> {

        private static final long serialVersionUID = 1L;
    }

    @Test
    void aRegistryThatAnswersNullIsAnErrorAndTheMethodIsNotEntered() {
        locks.answersNull = true;
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(orders::fails)
                .withMessageContaining("Orders.fails()")
                .withMessageContaining("FakeLockRegistry, answered null")
                .withMessageContaining("UnlockedRegistry.create()");
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> context.bean(Skipped.class).reference());
    }

    @Test
    void keysMayUseArgumentsTheRootBeansAndTypes() {
        context.bean(Everything.class).everything("a", 2);
        assertThat(locks.onlyRequest().key()).isEqualTo("a/2/everything/acme/suffix/5");
    }

    @Test
    void locksMethodsThatAreNotPublicToo() {
        assertThat(orders.notPublic("a")).isEqualTo("a");
        assertThat(locks.onlyRequest().key()).isEqualTo("a");
    }

    @Test
    void releasesAndPassesOnWhatTheMethodThrew() {
        assertThatExceptionOfType(IOException.class).isThrownBy(orders::fails).withMessage("disk full");
        assertThat(locks.lastHandle().isReleased()).isTrue();
    }

    @Test
    void aReleaseThatFailsDoesNotHideTheResult() {
        locks.onRelease = () -> {
            throw new IllegalStateException("store down");
        };
        assertThat(orders.plain("42", 7)).isEqualTo("427");
        locks.onRelease = () -> {};
        orders.plain("42", 7);
        assertThat(locks.requests).hasSize(2);
    }

    @Test
    void aKeyThatIsNullOrBlankOrAnObjectIsAnErrorThatNamesTheMethod() {
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> orders.plain(null, 1))
                .withMessageContaining("Orders.plain(String, int)")
                .withMessageContaining("#customerId")
                .withMessageContaining("null");
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> orders.plain(" ", 1))
                .withMessageContaining("blank");
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> orders.first(new Object()))
                .withMessageContaining("Orders.first(Object)")
                .withMessageContaining("java.lang.Object cannot be a key");
        assertThat(locks.requests).isEmpty();
    }

    @Test
    void aKeyThatIsTooLongIsAnErrorThatNamesTheMethod() {
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> orders.plain("x".repeat(2_049), 1))
                .withMessageContaining("Orders.plain(String, int)");
    }

    @Test
    void aKeyThatCannotBeEvaluatedIsAnErrorThatNamesTheMethod() {
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(() -> orders.shortened("abc"))
                .withMessageContaining("Orders.shortened(String)")
                .withMessageContaining("substring");
    }

    @Test
    void aTimeoutIsTheCallersAndTheMethodIsNotEntered() {
        locks.timesOut = true;
        assertThatExceptionOfType(LockTimeoutException.class).isThrownBy(orders::fails);
    }

    @DynamoLocked(key = "'x'", onTimeout = OnTimeout.SKIP)
    interface Skipped {

        void nothing();

        @Nullable
        String reference();

        Optional<String> optional();

        List<String> list();

        Set<String> set();

        Map<String, String> map();

        String[] array();

        OptionalInt optionalInt();

        OptionalLong optionalLong();

        OptionalDouble optionalDouble();

        boolean truth();

        char character();

        byte tiny();

        short small();

        int number();

        long big();

        float single();

        double real();
    }

    @Test
    void aSkippedMethodReturnsNothing() {
        locks.timesOut = true;
        Skipped skipped = context.bean(Skipped.class);
        skipped.nothing();
        assertThat(skipped.reference()).isNull();
        assertThat(skipped.optional()).isEmpty();
        assertThat(skipped.list()).isEmpty();
        assertThat(skipped.set()).isEmpty();
        assertThat(skipped.map()).isEmpty();
        assertThat(skipped.array()).isEmpty();
        assertThat(skipped.optionalInt()).isEmpty();
        assertThat(skipped.optionalLong()).isEmpty();
        assertThat(skipped.optionalDouble()).isEmpty();
        assertThat(skipped.truth()).isFalse();
        assertThat(skipped.character()).isEqualTo('\0');
        assertThat(skipped.tiny()).isZero();
        assertThat(skipped.small()).isZero();
        assertThat(skipped.number()).isZero();
        assertThat(skipped.big()).isZero();
        assertThat(skipped.single()).isZero();
        assertThat(skipped.real()).isZero();
    }

    @DynamoLocked(key = "#id", namespace = "class", waitTime = "1s", name = "all", onTimeout = OnTimeout.SKIP)
    static class WithDefaults {

        public @Nullable String inherits(String id) {
            return id;
        }

        @DynamoLocked(namespace = "method", waitTime = "0")
        public @Nullable String changesSome(String id) {
            return id;
        }

        @DynamoLocked(key = "'fixed'", onTimeout = OnTimeout.THROW)
        public String changesOthers() {
            return "";
        }

        String notPublic(String id) {
            return id;
        }
    }

    @Test
    void aClassWithAKeyLocksItsPublicMethods() {
        context.bean(WithDefaults.class).inherits("1");
        context.bean(WithDefaults.class).notPublic("2");
        assertThat(locks.onlyRequest())
                .isEqualTo(LockRequest.of("1").namespace("class").name("all").waitTime(Duration.ofSeconds(1)));
    }

    @Test
    void aMethodChangesWhatItSetsAndKeepsTheRestOfItsClass() {
        context.bean(WithDefaults.class).changesSome("1");
        assertThat(locks.onlyRequest())
                .isEqualTo(LockRequest.of("1").namespace("method").name("all").waitTime(Duration.ZERO));
        locks.timesOut = true;
        assertThat(context.bean(WithDefaults.class).changesSome("1")).isNull();
    }

    @Test
    void aMethodCanSetADefaultValueAgainstItsClass() {
        locks.timesOut = true;
        assertThatExceptionOfType(LockTimeoutException.class)
                .isThrownBy(() -> context.bean(WithDefaults.class).changesOthers());
    }

    @DynamoLocked(namespace = "shared")
    static class DefaultsWithoutKey {

        public void free() {}

        @DynamoLocked(key = "'k'")
        public void locked() {}
    }

    @Test
    void aClassWithoutAKeyLocksOnlyWhatIsAnnotatedItself() {
        context.bean(DefaultsWithoutKey.class).free();
        assertThat(locks.requests).isEmpty();
        context.bean(DefaultsWithoutKey.class).locked();
        assertThat(locks.onlyRequest().namespace()).isEqualTo("shared");
    }

    @Retention(RetentionPolicy.RUNTIME)
    @DynamoLocked(namespace = "customers", waitTime = "5s")
    @interface CustomerLocked {

        @AliasFor(annotation = DynamoLocked.class, attribute = "key")
        String customer();
    }

    interface Shipping {

        @DynamoLocked(key = "#parcel")
        void ship(String parcel);

        @CustomerLocked(customer = "#id")
        default String lookUp(String id) {
            return id;
        }
    }

    static class ParcelService implements Shipping {

        @Override
        public void ship(String parcel) {}
    }

    @Test
    void annotationsOfInterfacesAndMetaAnnotationsCount() {
        context.bean(Shipping.class).ship("p1");
        assertThat(locks.onlyRequest().key()).isEqualTo("p1");
        locks.requests.clear();
        context.bean(Shipping.class).lookUp("c1");
        assertThat(locks.onlyRequest())
                .isEqualTo(LockRequest.of("c1")
                        .namespace("customers")
                        .name("ParcelService.lookUp")
                        .waitTime(Duration.ofSeconds(5)));
    }

    @Configuration(proxyBeanMethods = false)
    static class Generated {

        @Bean
        Shipping shipping() {
            return StandIn.of(Shipping.class, (method, arguments) -> null);
        }
    }

    @Test
    void beansThatAreProxiesThemselvesAreLockedByTheirInterface() {
        try (AspectContext own = new AspectContext(Generated.class)) {
            own.bean(Shipping.class).ship("p1");
            assertThat(own.locks.onlyRequest())
                    .isEqualTo(LockRequest.of("p1").name("Shipping.ship").waitTime(Duration.ofSeconds(60)));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Repository {

        /** As Spring Data makes them: the target knows nothing of the interface. */
        @Bean
        Shipping shipping() {
            ProxyFactory proxies = new ProxyFactory();
            proxies.setInterfaces(Shipping.class);
            proxies.setTarget(new Object());
            proxies.addAdvice((MethodInterceptor) invocation -> null);
            return (Shipping) proxies.getProxy();
        }
    }

    @Test
    void repositoriesAreLockedByTheirInterface() {
        try (AspectContext own = new AspectContext(Repository.class)) {
            own.bean(Shipping.class).ship("p1");
            assertThat(own.locks.onlyRequest().key()).isEqualTo("p1");
        }
    }

    interface Store<T> {

        void save(T item);
    }

    static class TextStore implements Store<String> {

        @Override
        @DynamoLocked(key = "#item")
        public void save(String item) {}
    }

    @Test
    void genericMethodsAreLockedOnceThroughTheirBridges() {
        @SuppressWarnings("unchecked")
        Store<String> store = context.bean(Store.class);
        store.save("s");
        assertThat(locks.onlyRequest().key()).isEqualTo("s");
    }
}
