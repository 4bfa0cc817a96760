package io.dynamolock;

import static io.dynamolock.internal.testing.Thrown.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.data.LockData;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockRequestTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    @Test
    void asksForTheDefaultNamespaceWithoutLimitsUnlessTold() {
        LockRequest request = LockRequest.of("customer:42");

        assertThat(request.key()).isEqualTo("customer:42");
        assertThat(request.namespace()).isEqualTo("default");
        assertThat(request.name()).isEqualTo("default");
        assertThat(request.waitTime()).isEmpty();
        assertThat(request.maxHold()).isEmpty();
        assertThat(request.holdAtLeast()).isEmpty();
    }

    @Test
    void keepsWhatItIsToldStepByStepWithoutChangingEarlierSteps() {
        LockRequest first = LockRequest.of("k");
        LockRequest last = first.namespace("n")
                .name("orders")
                .waitTime(SECOND)
                .maxHold(Duration.ofSeconds(9))
                .holdAtLeast(Duration.ofSeconds(2));

        assertThat(last.namespace()).isEqualTo("n");
        assertThat(last.name()).isEqualTo("orders");
        assertThat(last.waitTime()).contains(SECOND);
        assertThat(last.maxHold()).contains(Duration.ofSeconds(9));
        assertThat(last.holdAtLeast()).contains(Duration.ofSeconds(2));
        assertThat(first).isEqualTo(LockRequest.of("k"));
        assertThat(last).isNotEqualTo(first).hasSameHashCodeAs(last.name("orders"));
    }

    @Test
    void saysHowItsReleaseGoesOnlyIfToldSo() {
        assertThat(LockRequest.of("k").awaitRelease()).isEmpty();
        assertThat(LockRequest.of("k").stay()).isEmpty();
        assertThat(LockRequest.of("k").toString()).doesNotContain("awaitRelease", "stay");

        LockRequest request = LockRequest.of("k")
                .awaitRelease(false)
                .stay(Duration.ofMillis(5))
                .caller("c");

        assertThat(request.awaitRelease()).contains(false);
        assertThat(request.awaitRelease(true).awaitRelease()).contains(true);
        assertThat(request.stay()).contains(Duration.ofMillis(5));
        assertThat(request.toString()).contains("awaitRelease=false", "stay=PT0.005S");
        assertThat(request).isNotEqualTo(request.stay(Duration.ZERO)).isNotEqualTo(request.awaitRelease(true));
    }

    @Test
    void everyOtherSettingKeepsHowItsReleaseGoes() {
        LockRequest request = LockRequest.of("k")
                .awaitRelease(true)
                .stay(Duration.ofMillis(5))
                .namespace("n")
                .name("orders")
                .waitTime(SECOND)
                .maxHold(SECOND)
                .holdAtLeast(SECOND)
                .caller("c")
                .data(LockData.of("d"))
                .onlyIfExists()
                .downgradable();
        assertThat(request.awaitRelease()).contains(true);
        assertThat(request.stay()).contains(Duration.ofMillis(5));
        assertThat(request.isOnlyIfExists()).isTrue();
        assertThat(request.data()).contains(LockData.of("d"));
        assertThat(request.caller()).contains("c");
    }

    @Test
    void refusesAStayOfMoreThanFiftyMilliseconds() {
        LockRequest request = LockRequest.of("k");
        refused(() -> request.stay(Duration.ofMillis(51)), "stay", "PT0.05S", "PT0.051S", "\"k\"", "zero");
        refused(() -> request.stay(Duration.ofMillis(-1)), "stay", "negative");
        assertThat(request.stay(Duration.ofMillis(50)).stay()).contains(Duration.ofMillis(50));
    }

    @Test
    void isNamedAfterItsNamespaceWhateverTheOrderOfSteps() {
        assertThat(LockRequest.of("k").waitTime(SECOND).namespace("billing").name())
                .isEqualTo("billing");
    }

    @Test
    void waitsForEverIfToldSo() {
        assertThat(LockRequest.of("k").waitForever().waitTime()).contains(LockRequest.FOREVER);
        assertThat(LockRequest.of("k").waitForever().toString()).contains("wait=forever");
    }

    @Test
    void refusesAnEmptyKey() {
        refused(() -> LockRequest.of(""), "\"\"");
    }

    @Test
    void takesKeysUpToDynamoDbsLimitInBytesOfUtf8() {
        assertThat(LockRequest.of("k".repeat(2_048)).key()).hasSize(2_048);
        assertThat(LockRequest.of("\u00e9".repeat(1_024)).key()).hasSize(1_024);
        refused(() -> LockRequest.of("k".repeat(2_049)), "\"kkk", "2049 bytes");
        refused(() -> LockRequest.of("\u00e9".repeat(1_024) + "k"), "2049 bytes");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\uD83D", "a\uDD12b", "\uDD12\uD83D"})
    void refusesUnpairedSurrogatesBecauseNoTableCanStoreThem(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.of(text))
                .withMessageContaining("surrogate")
                .withMessageMatching("(?s).*\\\\uD[8D][0-9A-F]{2}.*");
        refused(() -> LockRequest.of("k").namespace(text));
    }

    @Test
    void takesNamespacesUpToWhatTheSortKeyLeaves() {
        String longest = "n".repeat(1_023);
        assertThat(LockRequest.of("k").namespace(longest).namespace()).isEqualTo(longest);
        refused(() -> LockRequest.of("k").namespace(longest + "n"), "\"nnn", "1024 bytes");
        refused(() -> LockRequest.of("k").namespace("\u00e9".repeat(512)), "1024 bytes");
    }

    @Test
    void refusesEmptyNamespacesAndThoseWithSlashes() {
        refused(() -> LockRequest.of("k").namespace(""), "\"\"");
        refused(() -> LockRequest.of("k").namespace("a/b"), "\"a/b\"", "slash");
    }

    @Test
    void mayWantDataToBeWrittenAndALockThatExists() {
        LockRequest request = LockRequest.of("k").data(LockData.of("secret")).onlyIfExists();

        assertThat(request.data()).contains(LockData.of("secret"));
        assertThat(request.isOnlyIfExists()).isTrue();
        assertThat(request.namespace("n")
                        .name("m")
                        .waitTime(SECOND)
                        .maxHold(SECOND)
                        .holdAtLeast(SECOND))
                .satisfies(same -> assertThat(same.data()).contains(LockData.of("secret")))
                .satisfies(same -> assertThat(same.isOnlyIfExists()).isTrue());
        assertThat(request)
                .isEqualTo(LockRequest.of("k").data(LockData.of("secret")).onlyIfExists());
        assertThat(request)
                .isNotEqualTo(LockRequest.of("k").data(LockData.of("secret")))
                .isNotEqualTo(LockRequest.of("k").onlyIfExists());
        assertThat(request.toString())
                .contains("data=LockData[6 bytes], onlyIfExists")
                .doesNotContain("secret");
        assertThat(LockRequest.of("k").data()).isEmpty();
        assertThat(LockRequest.of("k").isOnlyIfExists()).isFalse();
    }

    @Test
    void refusesPermitsTogetherWithAModeInWhateverOrder() {
        LockRequest permit = LockRequest.of("k").permits(3);
        LockRequest shared = LockRequest.of("k").mode(LockMode.SHARED);

        refused(() -> permit.mode(LockMode.SHARED), "mode(SHARED)", "permits(3)", "\"k\"", "Leave one of them out");
        refused(() -> permit.mode(LockMode.EXCLUSIVE), "mode(EXCLUSIVE)", "permits(3)");
        refused(() -> shared.permits(3), "permits(3)", "mode(SHARED)", "\"k\"", "Leave one of them out");
        assertThat(permit.permits()).hasValue(3);
        assertThat(permit.permits(4).permits()).hasValue(4);
        assertThat(shared.mode(LockMode.EXCLUSIVE).permits(3)).isEqualTo(permit);
    }

    @Test
    void refusesToBeDowngradableTogetherWithAModeOrPermitsInWhateverOrder() {
        LockRequest writer = LockRequest.of("k").downgradable();

        refused(() -> writer.mode(LockMode.SHARED), "mode(SHARED)", "downgradable()");
        refused(() -> writer.mode(LockMode.EXCLUSIVE), "mode(EXCLUSIVE)", "downgradable()");
        refused(() -> writer.permits(3), "permits(3)", "downgradable()");
        refused(() -> LockRequest.of("k").mode(LockMode.SHARED).downgradable(), "downgradable()", "mode(SHARED)");
        refused(() -> LockRequest.of("k").permits(3).downgradable(), "downgradable()", "permits(3)");
        assertThat(writer.downgradable()).isEqualTo(writer);
    }

    @Test
    void refusesAnEmptyName() {
        refused(() -> LockRequest.of("k").name(""), "\"\"");
    }

    @Test
    void refusesNegativeDurationsByNameAndValue() {
        LockRequest request = LockRequest.of("k");
        refused(() -> request.waitTime(SECOND.negated()), "wait", "PT-1S");
        refused(() -> request.maxHold(SECOND.negated()), "maxHold", "PT-1S");
        refused(() -> request.holdAtLeast(SECOND.negated()), "holdAtLeast", "PT-1S");
    }

    @Test
    void refusesAMaxHoldOfZeroButNoOtherZero() {
        LockRequest request = LockRequest.of("k");
        refused(() -> request.maxHold(Duration.ZERO), "maxHold", "PT0S");
        assertThat(request.waitTime(Duration.ZERO).waitTime()).contains(Duration.ZERO);
        assertThat(request.holdAtLeast(Duration.ZERO).holdAtLeast()).contains(Duration.ZERO);
    }

    @Test
    void refusesToHoldLongerThanItMay() {
        Duration two = Duration.ofSeconds(2);
        refused(() -> LockRequest.of("k").maxHold(SECOND).holdAtLeast(two), "PT2S", "PT1S");
        refused(() -> LockRequest.of("k").holdAtLeast(two).maxHold(SECOND), "PT2S", "PT1S");
        assertThat(LockRequest.of("k").maxHold(two).holdAtLeast(two).maxHold()).contains(two);
    }
}
