package io.dynamolock.internal.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SafeTextTest {

    @ParameterizedTest
    @ValueSource(ints = {'\n', '\r', 0x85, 0x2028, 0x2029, 0, 0x0B, 0x1B, 0x9B, 0x7F, 0xD800})
    void lineEndsAndTerminalControlsAreEscaped(int character) {
        assertEscaped(character);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x61C, 0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069})
    void marksOfDirectionAreEscaped(int character) {
        assertEscaped(character);
    }

    private static void assertEscaped(int character) {
        String text = "a" + (char) character + "b";

        assertThat(SafeText.quote(text)).isEqualTo(String.format("\"a\\u%04Xb\"", character));
        assertThat(SafeText.clean(text)).isEqualTo("a\uFFFDb");
        assertThat(SafeText.isPlain(text)).isFalse();
        assertThat(SafeText.isPlain(SafeText.quote(text))).isTrue();
    }

    @Test
    void noTextCanEndItsOwnQuotes() {
        assertThat(SafeText.quote("a\" in namespace \\\"b")).isEqualTo("\"a\\\" in namespace \\\\\\\"b\"");
    }

    @Test
    void ordinaryTextIsShownUnchanged() {
        String text = "Käufer:42/東京 🔒 it's";

        assertThat(SafeText.quote(text)).isEqualTo('"' + text + '"');
        assertThat(SafeText.clean(text)).isEqualTo(text);
        assertThat(SafeText.isPlain(text)).isTrue();
    }

    @Test
    void atMost256CharactersOfATextAreShown() {
        assertThat(SafeText.quote("k".repeat(256))).isEqualTo('"' + "k".repeat(256) + '"');
        assertThat(SafeText.quote("k".repeat(300_000))).isEqualTo('"' + "k".repeat(256) + "...\"");
        assertThat(SafeText.quote("\n".repeat(300_000))).isEqualTo('"' + "\\u000A".repeat(42) + "...\"");
        assertThat(SafeText.quote("k" + "🔒".repeat(300))).isEqualTo("\"k" + "🔒".repeat(127) + "...\"");
        assertThat(SafeText.clean("k".repeat(256))).isEqualTo("k".repeat(256));
        assertThat(SafeText.clean("k".repeat(300_000))).isEqualTo("k".repeat(256) + "...");
        assertThat(SafeText.clean("k" + "🔒".repeat(300))).isEqualTo("k" + "🔒".repeat(127) + "...");
    }
}
