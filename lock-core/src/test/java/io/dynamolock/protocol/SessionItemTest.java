package io.dynamolock.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SessionItemTest {

    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");

    @ParameterizedTest
    @ValueSource(
            strings = {"PT0.499S", "PT0S", "PT-20S", "PT24H0.001S", "PT9223372036854775807S", "PT-9223372036854775808S"
            })
    void aLeaseIsFromHalfASecondToADay(String lease) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> session(Duration.parse(lease), NOW, null))
                .withMessageContaining("not from PT0.5S to PT24H");
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.5S", "PT20S", "PT24H"})
    void theShortestAndTheLongestLeaseAreLeases(String lease) {
        assertThat(session(Duration.parse(lease), NOW, null).lease()).hasToString(lease);
    }

    @Test
    void theLeaseOfOneThatKeepsALockIsTheRestOfItsTime() {
        assertThat(session(Duration.ofMillis(1), NOW, NOW).lease()).hasMillis(1);
        assertThat(session(Duration.ofDays(36_500), NOW, NOW).lease()).hasDays(36_500);
        assertThatIllegalArgumentException().isThrownBy(() -> session(Duration.ofDays(36_501), NOW, NOW));
        assertThatIllegalArgumentException().isThrownBy(() -> session(Duration.ofMillis(-1), NOW, NOW));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "+1000000000-12-31T23:59:59.999999999Z",
                "-1000000000-01-01T00:00:00Z",
                "+10000-01-01T00:00:00Z",
                "1969-12-31T23:59:59Z"
            })
    void aTimeThatNoProcessWritesIsNone(String time) {
        Instant implausible = Instant.parse(time);

        assertThatIllegalArgumentException().isThrownBy(() -> session(Duration.ofSeconds(20), implausible, null));
        assertThatIllegalArgumentException().isThrownBy(() -> session(Duration.ofSeconds(20), NOW, implausible));
    }

    private static SessionItem session(Duration lease, Instant beatAt, Instant keptUntil) {
        return new SessionItem(1, lease, "owner", beatAt, Set.of(), keptUntil);
    }
}
