package io.dynamolock.lockingread;

import static io.dynamolock.lockingread.SameValue.same;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class SameValueTest {

    private static AttributeValue number(String text) {
        return AttributeValue.fromN(text);
    }

    @Test
    void numbersAreTheSameInAnySpelling() {
        assertThat(same(number("1.50"), number("15E-1"))).isTrue();
        assertThat(same(number("0"), number("0.000"))).isTrue();
        AttributeValue nearlyOne = number("1.0000000000000000000000000000000000001");
        assertThat(same(number("1"), nearlyOne)).isFalse();
        assertThat(same(number("1"), AttributeValue.fromS("1"))).isFalse();
    }

    @Test
    void setsHaveNoOrderAndListsHave() {
        AttributeValue ones = AttributeValue.fromSs(List.of("1", "2"));
        AttributeValue numbers = AttributeValue.fromNs(List.of("1", "2.0"));
        AttributeValue list = AttributeValue.fromL(List.of(number("1"), number("2")));
        assertThat(same(ones, AttributeValue.fromSs(List.of("2", "1")))).isTrue();
        assertThat(same(numbers, AttributeValue.fromNs(List.of("2", "1")))).isTrue();
        assertThat(same(list, AttributeValue.fromL(List.of(number("2"), number("1")))))
                .isFalse();
        assertThat(same(ones, AttributeValue.fromNs(List.of("1", "2")))).isFalse();
    }

    @Test
    void nestedValuesAreComparedInTheSameWay() {
        AttributeValue one = AttributeValue.fromM(Map.of("l", AttributeValue.fromL(List.of(number("1.0")))));
        AttributeValue same = AttributeValue.fromM(Map.of("l", AttributeValue.fromL(List.of(number("1")))));
        AttributeValue other = AttributeValue.fromM(Map.of("l", AttributeValue.fromL(List.of(number("2")))));

        assertThat(same(one, same)).isTrue();
        assertThat(same(one, other)).isFalse();
    }

    @Test
    void anAbsentValueIsTheSameOnlyAsAnotherAbsentOne() {
        AttributeValue bytes = AttributeValue.fromB(SdkBytes.fromUtf8String("x"));
        assertThat(same(null, null)).isTrue();
        assertThat(same(null, bytes)).isFalse();
        assertThat(same(bytes, AttributeValue.fromB(SdkBytes.fromUtf8String("x"))))
                .isTrue();
        assertThat(same(AttributeValue.fromNul(true), null)).isFalse();
    }
}
