package io.dynamolock.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.BuilderDefaults;
import io.dynamolock.LockRegistryBuilder;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.builder.RegistryBuilder;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.handles.RequestDefaults;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.annotation.PersistenceContextCheck;
import io.dynamolock.spring.annotation.ReleaseTime;
import io.dynamolock.spring.autoconfigure.DynamoLockProperties.StoreType;
import io.dynamolock.spring.autoconfigure.DynamoLockProperties.TableCheck;
import io.dynamolock.spring.autoconfigure.DynamoLockProperties.TableCreation;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.mock.env.MockEnvironment;

class DynamoLockPropertiesTest {

    private static DynamoLockProperties bind(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("dynamolock", DynamoLockProperties.class);
    }

    private static EngineSettings settings(DynamoLockProperties properties, MockEnvironment environment) {
        return built(properties, environment, BuilderDefaults::of);
    }

    private static <T> T built(
            DynamoLockProperties properties, MockEnvironment environment, Function<LockRegistryBuilder, T> build) {
        ObjectProvider<LockRegistryBuilderCustomizer> none =
                new StaticListableBeanFactory().getBeanProvider(LockRegistryBuilderCustomizer.class);
        return new LocksConfigurer(properties, environment, none)
                .build(RegistryBuilder.of(new InMemoryLockStore()), build);
    }

    /** Otherwise each new property would break the programs that call the constructor. */
    @Test
    void thePropertiesRecordIsNotPublic() {
        assertThat(Modifier.isPublic(DynamoLockProperties.class.getModifiers())).isFalse();
    }

    @Test
    void withoutPropertiesEverySettingIsTheBuildersDefault() {
        assertThat(settings(bind(Map.of()), new MockEnvironment())).isEqualTo(BuilderDefaults.untouched());
        assertThat(built(bind(Map.of()), new MockEnvironment(), BuilderDefaults::ofRequests))
                .isEqualTo(RegistryBuilder.of(new InMemoryLockStore()).requestDefaults());
    }

    @Test
    void derivedDefaultsFollowTheLease() {
        EngineSettings settings = settings(bind(Map.of("dynamolock.lease", "600ms")), new MockEnvironment());
        assertThat(settings.heartbeat()).isEqualTo(Duration.ofMillis(150));
        assertThat(settings.pollMax()).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void aLongShortestPollRaisesTheLongest() {
        EngineSettings settings = settings(bind(Map.of("dynamolock.poll.min", "2s")), new MockEnvironment());
        assertThat(settings.pollMax()).isEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void defaultsSuitProduction() {
        DynamoLockProperties properties = bind(Map.of());
        assertThat(properties.enabled()).isTrue();
        assertThat(properties.store()).isEqualTo(StoreType.DYNAMODB);
        assertThat(properties.parsedWait()).isEqualTo(Duration.ofSeconds(60));
        assertThat(properties.createsTable()).isFalse();
        assertThat(properties.table().check()).isEqualTo(TableCheck.FAIL);
        assertThat(properties.persistenceContext()).isEqualTo(PersistenceContextCheck.WARN);
        assertThat(properties.aspect().order()).isEqualTo(EnableDynamoLocks.DEFAULT_ORDER);
        assertThat(properties.aspect().release()).isEqualTo(ReleaseTime.TRANSACTION_END);
        assertThat(properties.embedded().port()).isZero();
    }

    @Test
    void everyPropertyIsBound() {
        DynamoLockProperties properties = bind(Map.ofEntries(
                Map.entry("dynamolock.enabled", "false"),
                Map.entry("dynamolock.store", "memory"),
                Map.entry("dynamolock.wait", "forever"),
                Map.entry("dynamolock.await-release", "true"),
                Map.entry("dynamolock.stay", "5ms"),
                Map.entry("dynamolock.owner", "me"),
                Map.entry("dynamolock.key-prefix", "lock#"),
                Map.entry("dynamolock.lease", "30s"),
                Map.entry("dynamolock.call-timeout", "1s"),
                Map.entry("dynamolock.max-queue", "50"),
                Map.entry("dynamolock.retention", "1d"),
                Map.entry("dynamolock.persistence-context", "fail"),
                Map.entry("dynamolock.poll.min", "20ms"),
                Map.entry("dynamolock.table.name", "locks"),
                Map.entry("dynamolock.table.create", "if-missing"),
                Map.entry("dynamolock.table.check", "warn"),
                Map.entry("dynamolock.table.single-region", "true"),
                Map.entry("dynamolock.table.partition-key-attribute", "PK"),
                Map.entry("dynamolock.table.sort-key-attribute", "SK"),
                Map.entry("dynamolock.table.ttl-attribute", "ttl"),
                Map.entry("dynamolock.table.format-attribute", "version"),
                Map.entry("dynamolock.aws.region", "eu-central-1"),
                Map.entry("dynamolock.aws.endpoint", "http://localhost:8000"),
                Map.entry("dynamolock.embedded.port", "8123"),
                Map.entry("dynamolock.aspect.order", "17"),
                Map.entry("dynamolock.aspect.release", "method-end"),
                Map.entry("dynamolock.observation.show-keys", "true"),
                Map.entry("dynamolock.messages.show-keys", "false")));
        assertThat(properties)
                .isEqualTo(new DynamoLockProperties(
                        false,
                        StoreType.MEMORY,
                        "forever",
                        true,
                        Duration.ofMillis(5),
                        "me",
                        "lock#",
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(1),
                        50,
                        Duration.ofDays(1),
                        PersistenceContextCheck.FAIL,
                        new DynamoLockProperties.Poll(Duration.ofMillis(20)),
                        new DynamoLockProperties.Table(
                                "locks", TableCreation.IF_MISSING, TableCheck.WARN, true, "PK", "SK", "ttl", "version"),
                        new DynamoLockProperties.Aws("eu-central-1", URI.create("http://localhost:8000")),
                        new DynamoLockProperties.Embedded(8123),
                        new DynamoLockProperties.Aspect(17, ReleaseTime.METHOD_END, AdviceMode.PROXY),
                        new DynamoLockProperties.Observation(true),
                        new DynamoLockProperties.Messages(false)));
        assertThat(properties.parsedWait()).isEqualTo(LockRequest.FOREVER);
        EngineSettings settings = settings(properties, new MockEnvironment());
        assertThat(settings.owner()).isEqualTo("me");
        assertThat(settings.lease()).isEqualTo(Duration.ofSeconds(30));
        assertThat(settings.pollMin()).isEqualTo(Duration.ofMillis(20));
        assertThat(settings.callTimeout()).isEqualTo(Duration.ofSeconds(1));
        assertThat(settings.retention()).isEqualTo(Duration.ofDays(1));
        assertThat(settings.maxQueue()).isEqualTo(50);
        assertThat(built(properties, new MockEnvironment(), BuilderDefaults::ofRequests))
                .isEqualTo(new RequestDefaults(LockRequest.FOREVER, true, Duration.ofMillis(5)));
    }

    @Test
    void aLongStayIsRefusedByTheNameOfItsProperty() {
        IN_MEMORY
                .withPropertyValues("dynamolock.stay=51ms")
                .run(context -> assertThat(cause(context))
                        .isInstanceOfSatisfying(
                                InvalidSetUpException.class,
                                refusal -> assertThat(refusal.remedy()).isEqualTo("Change dynamolock.stay."))
                        .hasMessageContaining("stay must be from PT0S to PT0.05S, but is PT0.051S"));
    }

    @Test
    void theEmbeddedStoreCreatesItsTableUnlessTold() {
        assertThat(bind(Map.of("dynamolock.store", "embedded")).createsTable()).isTrue();
        assertThat(bind(Map.of("dynamolock.store", "embedded", "dynamolock.table.create", "never"))
                        .createsTable())
                .isFalse();
    }

    @Test
    void theOwnerNamesTheApplication() {
        MockEnvironment environment = new MockEnvironment().withProperty("spring.application.name", "orders");
        assertThat(settings(bind(Map.of()), environment).owner())
                .startsWith("orders@")
                .endsWith(":" + ProcessHandle.current().pid());
        assertThat(settings(bind(Map.of("dynamolock.owner", "me")), environment).owner())
                .isEqualTo("me");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dynamolock.wait=soon | dynamolock.wait: 'soon' is not a duration",
                "dynamolock.wait=60 | dynamolock.wait: '60' has no unit",
                "dynamolock.lease=20 | dynamolock.lease is '20', which has no unit. Write 20s or 20ms",
                "dynamolock.call-timeout=5 | dynamolock.call-timeout is '5'",
                "dynamolock.callTimeout=${two:2} | dynamolock.call-timeout is '2'",
                "dynamolock.stay=5 | dynamolock.stay is '5'",
                "dynamolock.await-release=perhaps | perhaps",
                "dynamolock.retention=5 | dynamolock.retention is '5'",
                "dynamolock.poll.min=2 | dynamolock.poll.min is '2'",
                "dynamolock.leese=20s | There is no property dynamolock.leese.",
                "dynamolock.table.nam=a | There is no property dynamolock.table.nam.",
                "dynamolock.colour=red | There is no property dynamolock.colour. Correct the name",
                "dynamolock.heartbeat=3s | There is no property dynamolock.heartbeat.",
                "dynamolock.table.check=perhaps | perhaps",
                "dynamolock.table.check=false | TableCheck",
                "dynamolock.embedded.port=-1 | dynamolock.embedded.port must be from 0 to 65535",
                "dynamolock.aws.endpoint=localhost:8000 | not a full address",
                "dynamolock.store=mongo | mongo"
            })
    void badValuesStopTheApplication(String property, String message) {
        stops(IN_MEMORY.withPropertyValues(property), message);
    }

    private static void stops(ApplicationContextRunner application, String message) {
        application.run(context -> assertThat(cause(context)).hasMessageContaining(message));
    }

    private static Throwable cause(AssertableApplicationContext context) {
        return NestedExceptionUtils.getMostSpecificCause(context.getStartupFailure());
    }

    private static final ApplicationContextRunner IN_MEMORY = new ApplicationContextRunner()
            .withConfiguration(
                    org.springframework.boot.autoconfigure.AutoConfigurations.of(DynamoLockAutoConfiguration.class))
            .withPropertyValues("dynamolock.store=memory");

    /** As by a placeholder that is empty. */
    @Test
    void anEmptyPropertyCountsAsNotSet() {
        IN_MEMORY
                .withPropertyValues("dynamolock.aws.endpoint=${none:}", "dynamolock.aws.region=${none:}")
                .run(context -> assertThat(
                                context.getBean(DynamoLockProperties.class).aws())
                        .isEqualTo(new DynamoLockProperties.Aws(null, null)));
    }

    @Test
    void everyNotationOfANameIsKnown() {
        IN_MEMORY
                .withPropertyValues(
                        "dynamolock.callTimeout=1s",
                        "dynamolock.max_queue=50",
                        "dynamolock.table.partition-key-attribute=PK")
                .run(context -> assertThat(context).hasNotFailed());
    }

    private static ApplicationContextRunner inEnvironment(String... variables) {
        Map<String, Object> values = Stream.of(variables).collect(Collectors.toMap(name -> name, name -> "30s"));
        return IN_MEMORY.withInitializer(context -> context.getEnvironment()
                .getPropertySources()
                .addFirst(new SystemEnvironmentPropertySource("test-systemEnvironment", values)));
    }

    @Test
    void everyWayToWriteAVariableIsRead() {
        for (ApplicationContextRunner application : List.of(
                inEnvironment("DYNAMOLOCK_LEASE", "DYNAMOLOCK_POLL_MIN", "DYNAMOLOCK_KEY_PREFIX"),
                inEnvironment("DYNAMOLOCK_LEASE", "DYNAMOLOCK_KEYPREFIX", "DYNAMOLOCK_TABLE_PARTITIONKEYATTRIBUTE"))) {
            application.run(context -> assertThat(context.getBean(DynamoLockProperties.class))
                    .returns(Duration.ofSeconds(30), DynamoLockProperties::lease)
                    .returns("30s", DynamoLockProperties::keyPrefix));
        }
    }

    @Test
    void variablesOfAServiceOfKubernetesDoNotStopTheStart() {
        for (String service : List.of("DYNAMOLOCK", "DYNAMO_LOCK", "DYNAMO_LOCK_DB")) {
            inEnvironment(
                            service + "_SERVICE_HOST",
                            service + "_SERVICE_PORT",
                            service + "_SERVICE_PORT_HTTP",
                            service + "_PORT",
                            service + "_PORT_8080_TCP",
                            service + "_PORT_8080_TCP_PROTO",
                            service + "_PORT_8080_TCP_PORT",
                            service + "_PORT_8080_TCP_ADDR")
                    .run(context -> assertThat(context).hasNotFailed());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dynamolock.leese", "dynamoLock.leese"})
    void aSlipInAFileOrAnArgumentStopsTheStart(String property) {
        for (ApplicationContextRunner application : List.of(
                IN_MEMORY.withPropertyValues(property + "=30s"), IN_MEMORY.withSystemProperties(property + "=30s"))) {
            application.run(context ->
                    assertThat(cause(context)).hasMessageStartingWith("There is no property dynamolock.leese. "));
        }
    }

    @Test
    void everyDurationNeedsItsUnit() {
        List<String> durations = new ArrayList<>();
        durationsOf(DynamoLockProperties.class, "dynamolock.", durations);
        assertThat(durations)
                .hasSize(5)
                .allSatisfy(duration ->
                        stops(IN_MEMORY.withPropertyValues(duration + "=7"), duration + " is '7', which has no unit."));
    }

    private static void durationsOf(Class<?> type, String prefix, List<String> durations) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + DataObjectPropertyName.toDashedForm(component.getName());
            if (component.getType().isRecord()) {
                durationsOf(component.getType(), name + ".", durations);
            } else if (component.getType() == Duration.class) {
                durations.add(name);
            }
        }
    }

    @Test
    void zeroNeedsNoUnit() {
        IN_MEMORY
                .withPropertyValues("dynamolock.wait=0", "dynamolock.stay=0")
                .run(context -> assertThat(context).hasNotFailed());
        stops(IN_MEMORY.withPropertyValues("dynamolock.poll.min=0"), "pollInterval's min must be from PT0.001S");
    }
}
