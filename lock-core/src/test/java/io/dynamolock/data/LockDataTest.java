package io.dynamolock.data;

import static io.dynamolock.internal.testing.Thrown.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class LockDataTest {

    @Test
    void isATextOrItsBytes() {
        LockData text = LockData.of("Straße 東京 😀");

        assertThat(text.text()).isEqualTo("Straße 東京 😀");
        assertThat(text.bytes()).isEqualTo("Straße 東京 😀".getBytes(StandardCharsets.UTF_8));
        assertThat(LockData.of(text.bytes())).isEqualTo(text).hasSameHashCodeAs(text);
        assertThat(text.size()).isEqualTo(19);
        assertThat(text.isEmpty()).isFalse();
    }

    @Test
    void noDataIsEmptyData() {
        assertThat(LockData.of("")).isEqualTo(LockData.EMPTY);
        assertThat(LockData.of(new byte[0]).isEmpty()).isTrue();
        assertThat(LockData.EMPTY.text()).isEmpty();
    }

    @Test
    void isImmutable() {
        byte[] bytes = {1, 2};
        LockData data = LockData.of(bytes);
        bytes[0] = 9;
        data.bytes()[1] = 9;

        assertThat(data.bytes()).containsExactly(1, 2);
    }

    @Test
    void refusesMoreThan64KibAndSaysWhatToDo() {
        assertThat(LockData.of(new byte[LockData.MOST_BYTES]).size()).isEqualTo(65_536);
        refused(() -> LockData.of(new byte[LockData.MOST_BYTES + 1]), "65536", "65537", "Keep it elsewhere");
    }

    @Test
    void refusesATextWithAnUnpairedSurrogate() {
        refused(() -> LockData.of("a\uD83D"), "surrogate", "bytes");
    }

    @Test
    void showsOnlyItsSize() {
        assertThat(LockData.of("secret")).hasToString("LockData[6 bytes]");
    }
}
