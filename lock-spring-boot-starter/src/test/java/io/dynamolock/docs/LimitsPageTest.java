package io.dynamolock.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page with all limits has those of the code. */
class LimitsPageTest {

    private static final String PAGE = Pages.text(Pages.ROOT.resolve("docs/limits.md"));
    private static final Path CORE = Pages.ROOT.resolve("lock-core/src/main/java/io/dynamolock");
    private static final Path STARTER =
            Pages.ROOT.resolve("lock-spring-boot-starter/src/main/java/io/dynamolock/spring");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    internal/text/LockNames              | MAX_KEY_BYTES = 2_048                        | 2,048 bytes of UTF-8, not empty
                    internal/text/LockNames              | MAX_NAMESPACE_BYTES = 1_024 - 1              | 1,023 bytes of UTF-8
                    internal/builder/TableOptions        | MAX_PREFIX_BYTES = 1_024                     | 1,024 bytes
                    internal/builder/SettingsRules       | MAX_OWNER_BYTES = 256                        | 256 bytes of visible
                    data/LockData                        | MOST_BYTES = 65_536                          | 65,536 bytes
                    internal/builder/RegistryBuilder     | maxQueue = 200                               | 200; from 2 to 1,000
                    internal/builder/SettingsRules       | SHORTEST_QUEUE = 2                           | 200; from 2 to 1,000
                    internal/builder/SettingsRules       | LONGEST_QUEUE = 1_000                        | 200; from 2 to 1,000
                    internal/engine/NextWrite            | MOST_WAITING = 16                            | [16](how-it-works.md#waiting)
                    internal/fences/FencedTransaction    | MOST_ITEMS = 99                              | 99, beside the check
                    internal/threads/ListenerQueue       | CAPACITY = 65_536                            | 65,536 for `LockListener`
                    internal/protocol/SessionItem        | SHORTEST_LEASE = Duration.ofMillis(500)      | from 500 ms to a day
                    internal/protocol/SessionItem        | LONGEST_LEASE = Duration.ofDays(1)           | from 500 ms to a day
                    internal/time/Durations              | CENTURY = Duration.ofDays(36_500)            | over 36,500 days means no limit
                    internal/handles/RequestDefaults     | LONGEST_STAY = Duration.ofMillis(50)         | from 0 to 50 ms
                    internal/builder/SettingsRules       | settings.retention(), DAY, Duration.ofDays(3_650) | from a day to 3,650 days
                    lockingread/Lease                    | SHORTEST = Duration.ofMillis(100)            | from 100 ms to a day
                    lockingread/Lease                    | LONGEST = Duration.ofDays(1)                 | from 100 ms to a day
                    """)
    void thePageHasTheLimitsOfTheCore(String type, String code, String words) {
        assertThat(Pages.text(CORE.resolve(type + ".java"))).contains(code);
        assertThat(PAGE).contains(words);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    internal/registry/LockEventPublisher | CAPACITY = 10_000                            | 10,000 for `@EventListener`
                    """)
    void thePageHasTheLimitsOfTheStarter(String type, String code, String words) {
        assertThat(Pages.text(STARTER.resolve(type + ".java"))).contains(code);
        assertThat(PAGE).contains(words);
    }
}
