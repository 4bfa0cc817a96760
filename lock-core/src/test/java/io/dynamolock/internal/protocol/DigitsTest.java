package io.dynamolock.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DigitsTest {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "9, 9",
        "10, A",
        "36, a",
        "62, -",
        "63, _",
        "64, 10",
        "4095, __",
        "1152921504606846975, __________"
    })
    void aNumberIsReadAsItWasWritten(long number, String digits) {
        assertThat(Digits.of(number)).isEqualTo(digits);
        assertThat(Digits.valueOf(digits)).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource({"0, 2, 00", "64, 2, 10", "1, 10, 0000000001"})
    void numbersArePaddedWithLeadingZeros(long number, int length, String digits) {
        assertThat(Digits.of(number, length)).isEqualTo(digits);
        assertThat(Digits.valueOf(digits)).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "1, 63", "2, 4095", "10, 1152921504606846975"})
    void theGreatestNumberOfALengthIsAllLastDigits(int length, long most) {
        assertThat(Digits.greatest(length)).isEqualTo(most);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "1 ", "+", "é", "12345678901"})
    void aTextThatIsNoNumberIsRefused(String text) {
        assertThatThrownBy(() -> Digits.valueOf(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("not a number");
    }
}
