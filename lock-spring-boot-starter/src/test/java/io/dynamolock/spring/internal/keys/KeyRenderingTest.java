package io.dynamolock.spring.internal.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.spring.keys.LockKeys;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.chrono.JapaneseDate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KeyRenderingTest {

    private enum Loud {
        ONE {
            @Override
            public String toString() {
                return "one!";
            }
        }
    }

    private record CustomerId(String region, long number) {

        @Override
        public String toString() {
            return "secret";
        }
    }

    private record Pair(@Nullable Object first, @Nullable Object second) {}

    private static final class Meters extends Number {

        private static final long serialVersionUID = 1L;

        @Override
        public int intValue() {
            return 1;
        }

        @Override
        public long longValue() {
            return 1;
        }

        @Override
        public float floatValue() {
            return 1;
        }

        @Override
        public double doubleValue() {
            return 1;
        }
    }

    @Test
    @SuppressWarnings("UnnecessaryStringBuilder") // It is the type that matters.
    void takesValuesAsTheyAre() {
        UUID uuid = UUID.randomUUID();
        assertThat(LockKeys.text("a b/ü\uD83D\uDD12")).isEqualTo("a b/ü\uD83D\uDD12");
        assertThat(LockKeys.text(new StringBuilder("built"))).isEqualTo("built");
        assertThat(LockKeys.text('x')).isEqualTo("x");
        assertThat(LockKeys.text(true)).isEqualTo("true");
        assertThat(LockKeys.text(uuid)).isEqualTo(uuid.toString());
        assertThat(LockKeys.text(DayOfWeek.MONDAY)).isEqualTo("MONDAY");
        assertThat(LockKeys.text(Loud.ONE)).isEqualTo("ONE");
        assertThat(LockKeys.text(42)).isEqualTo("42");
        assertThat(LockKeys.text((short) -7)).isEqualTo("-7");
        assertThat(LockKeys.text(new BigInteger("99999999999999999999"))).isEqualTo("99999999999999999999");
        assertThat(LockKeys.text(new AtomicLong(5))).isEqualTo("5");
    }

    @Test
    void givesSumsOfDoublesTheKeysOfTheirValues() {
        DoubleAdder sum = new DoubleAdder();
        sum.add(1);
        assertThat(LockKeys.text(sum)).isEqualTo("1");
        DoubleAccumulator product = new DoubleAccumulator((left, right) -> left * right, 1.5);
        assertThat(LockKeys.text(product)).isEqualTo("1.5");
        sum.add(Double.NaN);
        assertThatIllegalArgumentException().isThrownBy(() -> LockKeys.text(sum));
    }

    @Test
    void givesEqualNumbersEqualKeys() {
        assertThat(LockKeys.text(new BigDecimal("1.50"))).isEqualTo("1.5");
        assertThat(LockKeys.text(new BigDecimal("1E+3"))).isEqualTo("1000");
        assertThat(LockKeys.text(new BigDecimal("0.00"))).isEqualTo("0");
        assertThat(LockKeys.text(1.0)).isEqualTo("1");
        assertThat(LockKeys.text(-0.0)).isEqualTo("0");
        assertThat(LockKeys.text(-0.0f)).isEqualTo("0");
        assertThat(LockKeys.text(0.1f)).isEqualTo("0.1");
    }

    @Test
    void aDateOrATimeIsItsFormInIso8601() {
        assertThat(Stream.of(
                                LocalDate.of(2026, 3, 1),
                                LocalTime.of(9, 30),
                                LocalDateTime.of(2026, 3, 1, 9, 30),
                                Instant.EPOCH,
                                OffsetDateTime.of(2026, 3, 1, 9, 30, 0, 0, ZoneOffset.UTC),
                                OffsetTime.of(9, 30, 0, 0, ZoneOffset.UTC),
                                ZonedDateTime.of(2026, 3, 1, 9, 30, 0, 0, ZoneId.of("Europe/Berlin")),
                                Year.of(2026),
                                YearMonth.of(2026, 3),
                                MonthDay.of(3, 1),
                                Duration.ofMinutes(90),
                                Period.ofMonths(3))
                        .map(LockKeys::text))
                .containsExactly(
                        "2026-03-01",
                        "09:30",
                        "2026-03-01T09:30",
                        "1970-01-01T00:00:00Z",
                        "2026-03-01T09:30Z",
                        "09:30Z",
                        "2026-03-01T09:30+01:00[Europe/Berlin]",
                        "2026",
                        "2026-03",
                        "--03-01",
                        "PT1H30M",
                        "P3M");
        assertThat(LockKeys.text(new Pair(LocalDate.of(2026, 3, 1), 1))).isEqualTo("Pair[first=2026-03-01, second=1]");
        assertThatIllegalArgumentException().isThrownBy(() -> LockKeys.text(JapaneseDate.of(2026, 3, 1)));
    }

    @Test
    void doesNotWriteOutHugeExponents() {
        assertThat(LockKeys.text(new BigDecimal("1E+1000000000"))).isEqualTo("1E+1000000000");
        assertThat(LockKeys.text(Double.MIN_VALUE)).hasSizeLessThan(400);
    }

    @Test
    void rendersRecordsByTheirValue() {
        assertThat(LockKeys.text(new CustomerId("eu", 42))).isEqualTo("CustomerId[region=\"eu\", number=42]");
        assertThat(LockKeys.text(new Pair(new CustomerId("a", 1), null)))
                .isEqualTo("Pair[first=CustomerId[region=\"a\", number=1], second=null]");
    }

    @Test
    void givesDifferentRecordsDifferentKeys() {
        assertThat(LockKeys.text(new Pair("a\", second=\"b", "c")))
                .isNotEqualTo(LockKeys.text(new Pair("a", "b\", second=\"c")));
        assertThat(LockKeys.text(new Pair("null", "x"))).isNotEqualTo(LockKeys.text(new Pair(null, "x")));
        assertThat(LockKeys.text(new Pair("1", "x"))).isNotEqualTo(LockKeys.text(new Pair(1, "x")));
        assertThat(LockKeys.text(new Pair("\\", "x"))).isNotEqualTo(LockKeys.text(new Pair("\\\\", "x")));
    }

    @Test
    void refusesNullAndBlank() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> KeyRendering.render("the key", null))
                .withMessage("the key is null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeys.text(" \t"))
                .withMessage("the key is blank");
        assertThatIllegalArgumentException().isThrownBy(() -> LockKeys.text(Double.NaN));
    }

    static List<Object> thingsWithoutAValue() {
        return List.of(new Object(), Optional.of("a"), new Meters(), new Pair(new Object(), 1));
    }

    @Test
    void refusesACollectionWithinOneAndSaysWhatToDo() {
        for (Object value : List.of(new int[] {1}, List.of("a"), Map.of("a", "b"))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> LockKeys.text(value))
                    .withMessageContaining("cannot be a key: it is a collection")
                    .withMessageContaining("one element, or a text of all in an order that is always the same");
        }
    }

    @ParameterizedTest
    @MethodSource("thingsWithoutAValue")
    void refusesWhatMayPrintItsIdentityAndSaysWhatToDo(Object value) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockKeys.text(value))
                .withMessageContaining("cannot be a key")
                .withMessageContaining("a property of it");
    }

    /** As Kotlin compiles {@code data class Place(val region: String, val number: Int) { val label = "x" }}. */
    @kotlin.Metadata
    @SuppressWarnings("unused")
    static final class Place {

        private final String region;
        private final int number;
        private final String label = "x";

        Place(String region, int number) {
            this.region = region;
            this.number = number;
        }

        public String component1() {
            return region;
        }

        public int component2() {
            return number;
        }
    }

    /** A class of Kotlin without component functions. */
    @kotlin.Metadata
    static final class NoData {}

    @Test
    void aDataClassOfKotlinIsARecord() {
        assertThat(LockKeys.text(new Place("eu", 42))).isEqualTo("Place[region=\"eu\", number=42]");
        assertThatIllegalArgumentException().isThrownBy(() -> LockKeys.text(new NoData()));
    }
}
