package io.dynamolock.internal.builder;

import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockRegistryBuilder;
import io.dynamolock.LockRequest;
import io.dynamolock.StandIn;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.handles.RequestDefaults;
import io.dynamolock.internal.store.dynamodb.DynamoTableSettings;
import io.dynamolock.internal.store.memory.InMemoryLockStore;
import io.dynamolock.internal.text.SafeText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.dax.StandInForDaxAsyncClient;
import software.amazon.dax.StandInForDaxClient;

class RegistryBuilderTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** Building asks DynamoDB nothing. */
    private static final DynamoDbAsyncClient CLIENT = StandIn.of(DynamoDbAsyncClient.class, (method, arguments) -> {
        if (method.equals("serviceClientConfiguration")) {
            throw new UnsupportedOperationException("as by default");
        }
        throw new AssertionError("called " + method);
    });

    private final RegistryBuilder builder = RegistryBuilder.of(CLIENT);

    @Test
    void aClientOfDaxIsRefusedWithTheReasonAndWhatToDo() {
        DynamoDbClient blocking = new StandInForDaxClient();
        DynamoDbClient enhanced = new StandInForDaxClient() {};
        DynamoDbAsyncClient async = new StandInForDaxAsyncClient();

        for (ThrowingCallable building : List.<ThrowingCallable>of(
                () -> LockRegistry.builder(blocking),
                () -> LockRegistry.builder(enhanced),
                () -> LockRegistry.builder(async))) {
            assertThatThrownBy(building)
                    .isInstanceOf(InvalidSettingException.class)
                    .hasMessageContainingAll(
                            "a client of DAX", "old items", "Give the locks a client of DynamoDB itself");
        }
    }

    @Test
    void hasADefaultForEverything() {
        EngineSettings settings = builder.settings();

        assertThat(settings.owner())
                .endsWith(":" + ProcessHandle.current().pid())
                .matches("[^:]+.*:\\d+");
        assertThat(settings)
                .isEqualTo(new EngineSettings(
                        settings.owner(),
                        Duration.ofSeconds(20),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(20).dividedBy(12),
                        Duration.ofMillis(5),
                        Duration.ofMillis(250),
                        Duration.ZERO,
                        Duration.ofSeconds(4),
                        32,
                        Duration.ofDays(7),
                        200));
        assertThat(builder.tableSettings(settings))
                .isEqualTo(new DynamoTableSettings(
                        "dynamolock",
                        "",
                        "pk",
                        "sk",
                        "expiresAt",
                        "data",
                        "dynamolock:format",
                        Duration.ofDays(7),
                        Duration.ofSeconds(4)));
    }

    @Test
    void derivesOtherSettingsFromAShortLease() {
        EngineSettings settings = builder.lease(Duration.ofMillis(500)).settings();

        assertThat(settings.heartbeat()).isEqualTo(Duration.ofMillis(125));
        assertThat(settings.callTimeout()).isEqualTo(Duration.ofMillis(100));
        assertThat(settings.driftMargin()).isEqualTo(Duration.ofMillis(500).dividedBy(12));
        assertThat(settings.pollMax()).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void aLongLeaseMakesNoHeartbeatPollOrCallTimeoutLong() {
        EngineSettings settings = builder.lease(Duration.ofMinutes(10)).settings();

        assertThat(settings.heartbeat()).isEqualTo(Duration.ofSeconds(5));
        assertThat(settings.callTimeout()).isEqualTo(Duration.ofSeconds(4));
        assertThat(settings.pollMax()).isEqualTo(Duration.ofMillis(250));
    }

    @Test
    void takesEverySetting() {
        EngineSettings settings = builder.owner("orders")
                .lease(Duration.ofSeconds(9))
                .heartbeat(Duration.ofSeconds(3))
                .driftMargin(SECOND)
                .pollInterval(Duration.ofMillis(2), Duration.ofMillis(7))
                .lockDelay(SECOND)
                .callTimeout(Duration.ofSeconds(2))
                .maxCallsInFlight(5)
                .maxQueue(50)
                .retention(Duration.ofDays(1))
                .settings();
        DynamoTableSettings table = builder.tableName("my.locks_1")
                .keyPrefix("lock#")
                .partitionKeyAttribute("PK")
                .sortKeyAttribute("SK")
                .ttlAttribute("ttl")
                .dataAttribute("note")
                .formatAttribute("version")
                .tableSettings(settings);

        assertThat(settings)
                .isEqualTo(new EngineSettings(
                        "orders",
                        Duration.ofSeconds(9),
                        Duration.ofSeconds(3),
                        SECOND,
                        Duration.ofMillis(2),
                        Duration.ofMillis(7),
                        SECOND,
                        Duration.ofSeconds(2),
                        5,
                        Duration.ofDays(1),
                        50));
        assertThat(table)
                .isEqualTo(new DynamoTableSettings(
                        "my.locks_1",
                        "lock#",
                        "PK",
                        "SK",
                        "ttl",
                        "note",
                        "version",
                        Duration.ofDays(1),
                        Duration.ofSeconds(2)));
    }

    @Test
    void releasesAreNotAwaitedAndTheirEntriesStayForTenMillisecondsUnlessTold() {
        Map<String, String> elsewhere = Map.of("PATH", "/bin");
        assertThat(in(elsewhere).requestDefaults())
                .isEqualTo(new RequestDefaults(Duration.ofMinutes(1), false, Duration.ofMillis(10)));
        assertThat(in(elsewhere)
                        .wait(SECOND)
                        .awaitRelease(true)
                        .stay(Duration.ZERO)
                        .requestDefaults())
                .isEqualTo(new RequestDefaults(SECOND, true, Duration.ZERO));
    }

    /** Lambda freezes the process, and with it the release, when the handler has returned. */
    @Test
    void releasesAreAwaitedInLambdaUnlessTold() {
        Map<String, String> lambda = Map.of("AWS_LAMBDA_FUNCTION_NAME", "orders");
        assertThat(in(lambda).requestDefaults().awaitRelease()).isTrue();
        assertThat(in(lambda).awaitRelease(false).requestDefaults().awaitRelease())
                .isFalse();
    }

    private RegistryBuilder in(Map<String, String> environment) {
        return RegistryBuilder.of(CLIENT).on(new RegistrySurroundings() {
            @Override
            protected Map<String, String> environment() {
                return environment;
            }
        });
    }

    @Test
    void refusesAStayThatOthersWouldFeel() {
        refuses(b -> b.stay(Duration.ofMillis(51)), "stay", "PT0.051S", "PT0.05S", "others have to wait");
        refuses(b -> b.stay(Duration.ofNanos(-1)), "stay");
        assertThat(refuses(b -> b.stay(SECOND))).containsExactly("stay");
        assertThat(builder.stay(Duration.ofMillis(50)).requestDefaults().stay()).isEqualTo(Duration.ofMillis(50));
    }

    @Test
    void refusesAHeartbeatThatIsTooSlowForTheLeaseAndSaysWhatToChange() {
        refuses(b -> b.heartbeat(Duration.ofSeconds(7)), "heartbeat", "PT7S", "PT20S", "PT6.666666666S", "PT21S");
        refuses(b -> b.heartbeat(LockRequest.FOREVER), "heartbeat");
        refuses(b -> b.heartbeat(Duration.ZERO), "heartbeat", "PT0S");
        refuses(b -> b.heartbeat(SECOND.negated()), "heartbeat", "PT-1S");
    }

    @Test
    void refusesACallTimeoutThatIsNotWellInsideTheLease() {
        refuses(b -> b.callTimeout(Duration.ofSeconds(7)), "callTimeout", "PT7S", "PT20S", "PT21S");
        refuses(b -> b.callTimeout(Duration.ZERO), "callTimeout", "PT0S");
    }

    @Test
    void refusesAbsurdLeases() {
        refuses(b -> b.lease(Duration.ofMillis(499)), "lease", "PT0.499S", "PT0.5S");
        refuses(b -> b.lease(Duration.ZERO), "lease", "PT0S");
        refuses(b -> b.lease(SECOND.negated()), "lease", "PT-1S");
        refuses(b -> b.lease(Duration.ofDays(2)), "lease", "PT48H", "PT24H");
    }

    @Test
    void refusesDurationsOutOfTheirRange() {
        refuses(b -> b.driftMargin(SECOND), "driftMargin", "PT1S", "PT1.666666666S");
        refuses(b -> b.driftMargin(Duration.ofSeconds(6)), "driftMargin", "PT6S", "PT5S");
        refuses(b -> b.lockDelay(SECOND.negated()), "lockDelay", "PT-1S");
        refuses(b -> b.lockDelay(LockRequest.FOREVER), "lockDelay");
        refuses(b -> b.wait(SECOND.negated()), "wait", "PT-1S");
        refuses(b -> b.retention(SECOND), "retention", "PT1S", "PT24H");
        refuses(b -> b.retention(LockRequest.FOREVER), "retention");
    }

    @Test
    void refusesARetentionThatCouldRemoveItemsInUse() {
        refuses(
                b -> b.retention(Duration.ofDays(1)).lockDelay(Duration.ofDays(1)),
                "retention",
                "PT24H",
                "raise the retention");
    }

    @Test
    void refusesPollIntervalsThatMakeNoSense() {
        refuses(b -> b.pollInterval(Duration.ofSeconds(2), SECOND), "PT2S", "PT1S", "swap");
        refuses(b -> b.pollInterval(Duration.ZERO, SECOND), "min", "PT0S");
        refuses(b -> b.pollInterval(SECOND, Duration.ofSeconds(21)), "max", "PT21S");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 10_001})
    void refusesMaxCallsInFlightOutOfItsRange(int calls) {
        refuses(b -> b.maxCallsInFlight(calls), "maxCallsInFlight", String.valueOf(calls));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1, 1_001})
    void refusesMaxQueueOutOfItsRange(int places) {
        refuses(b -> b.maxQueue(places), "maxQueue", "2", "1000", String.valueOf(places));
    }

    @Test
    void refusesOwnersThatAreEmptyOrTooLong() {
        refuses(b -> b.application(""), "application", "\"\"");
        refuses(b -> b.owner(""), "owner", "\"\"");
        refuses(b -> b.owner("o".repeat(257)), "owner", "\"ooo", "256");
        for (String unseen : List.of("\n", "\r", "\u0085", "\u2028", "\u2029", "\u202E", "\u001B")) {
            refuses(b -> b.owner("web" + unseen + "1"), "owner", "control characters");
        }
        assertThat(builder.owner("o".repeat(256)).settings().owner()).hasSize(256);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ab", "a b c", "locks/2", "t\u00e4ble", "arn:aws:dynamodb:eu-central-1:1:table/x"})
    void refusesTableNamesThatDynamoDbDoesNotAllow(String name) {
        refuses(b -> b.tableName(name), "tableName", SafeText.quote(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "a.b-c_D9", "arn:aws:dynamodb:eu-central-1:123456789012:table/locks"})
    void takesTableNamesThatDynamoDbAllows(String name) {
        assertThat(builder.tableName(name).tableSettings(builder.settings()).tableName())
                .isEqualTo(name);
    }

    @Test
    void refusesAttributeNamesThatClash() {
        refuses(b -> b.sortKeyAttribute("pk"), "pk");
        refuses(b -> b.ttlAttribute("sk"), "sk");
        refuses(b -> b.partitionKeyAttribute("tail"), "tail");
        refuses(b -> b.dataAttribute("pk"), "pk", "five");
        refuses(b -> b.dataAttribute("notices"), "notices");
        refuses(b -> b.formatAttribute("queue"), "queue");
        refuses(b -> b.formatAttribute("data"), "data", "five");
        refuses(b -> b.formatAttribute(""), "attribute");
        refuses(b -> b.partitionKeyAttribute(""), "attribute");
        refuses(b -> b.ttlAttribute("a".repeat(256)), "\"aaa", "255");
    }

    @Test
    void refusesKeyPrefixesThatLeaveNoRoomForKeys() {
        refuses(b -> b.keyPrefix("p".repeat(1_025)), "prefix", "1025", "1024");
        refuses(b -> b.keyPrefix("\uD83D"), "prefix", "surrogate");
    }

    @Test
    void buildsWithoutAskingDynamoDb() {
        try (LockRegistry registry = builder.build()) {
            assertThat(registry.admin().held()).isEmpty();
            assertThat(registry.admin().waiting()).isZero();
        }
    }

    @Test
    void refusedSettingsStartNoThread() throws InterruptedException {
        ThreadGroup begun = new ThreadGroup("begun");
        Thread builds = new Thread(begun, () -> refuses(b -> b.tableName("a b c")));
        builds.start();
        builds.join();

        assertThat(begun.activeCount()).isZero();
    }

    @Test
    void theKeyPrefixShortensKeysOnDynamoDbOnly() {
        String longest = "k".repeat(2_048);
        try (LockRegistry registry = builder.keyPrefix("p#").build()) {
            assertThatIllegalArgumentException().isThrownBy(() -> registry.tryAcquire(longest));
        }
        try (LockRegistry registry =
                RegistryBuilder.of(new InMemoryLockStore()).keyPrefix("p#").build()) {
            assertThat(registry.tryAcquire(longest)).isPresent();
        }
    }

    @Test
    void anApplicationNameIsCleanedAndCutInsteadOfRefused() {
        assertThat(RegistryBuilder.of(new InMemoryLockStore())
                        .application("shop \u200D\n")
                        .settings()
                        .owner())
                .startsWith("shop \uFFFD\uFFFD@");
        for (String tooLong : List.of("shop".repeat(100), "\u5E97".repeat(90))) {
            assertThat(builder.application(tooLong).settings().owner())
                    .startsWith(tooLong.substring(0, 20))
                    .contains(":" + ProcessHandle.current().pid());
        }
    }

    @Test
    void namesTheApplicationBeforeTheProcessUnlessAnOwnerIsSet() {
        assertThat(builder.application("orders").settings().owner())
                .startsWith("orders@")
                .endsWith(":" + ProcessHandle.current().pid());
        assertThat(builder.owner("somebody").settings().owner()).isEqualTo("somebody");
    }

    @Test
    void hasNoTableWithoutDynamoDb() {
        RegistryBuilder inMemory = RegistryBuilder.of(new InMemoryLockStore());
        thrown(IllegalStateException.class, inMemory::table, "DynamoDbAsyncClient");
    }

    @Test
    void aRefusalNamesTheSettingsAtFaultBeginningWithTheOneToChange() {
        assertThat(refuses(b -> b.lease(Duration.ofMillis(1)))).containsExactly("lease");
        assertThat(refuses(b -> b.heartbeat(Duration.ofSeconds(19)))).containsExactly("heartbeat", "lease");
        assertThat(refuses(b -> b.owner(""))).containsExactly("owner");
        assertThat(refuses(b -> b.pollInterval(Duration.ofSeconds(2), SECOND)))
                .containsExactly("pollInterval.max", "pollInterval.min");
    }

    /** @return the settings at fault */
    private static List<String> refuses(UnaryOperator<LockRegistryBuilder> setting, String... inMessage) {
        LockRegistryBuilder wrong = setting.apply(RegistryBuilder.of(CLIENT));
        return thrown(InvalidSettingException.class, wrong::build, inMessage).settings();
    }
}
