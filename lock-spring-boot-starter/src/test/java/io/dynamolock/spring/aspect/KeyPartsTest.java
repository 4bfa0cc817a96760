package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.LockKeyException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What a key is made of is held to the rules of a key, also where it is one part of several. */
class KeyPartsTest {

    @AutoClose
    private final AspectContext context = new AspectContext(
            Map.of(
                    "orders.region", "eu",
                    "orders.limit", "10",
                    "orders.huge", "3000000000",
                    "orders.least", "-5",
                    "orders.rate", "1.10",
                    "orders.site", "01",
                    "orders.on", "true",
                    "orders.bad", BAD),
            Parts.class);

    private final Parts parts = context.bean(Parts.class);

    /** Run as an expression, it would not be a text. */
    private static final String BAD = "' + T(java.lang.Math).abs(-7) + '\"\"#{1+1}";

    private static boolean ran;

    private record Seat(String hall, BigDecimal row) {}

    private static class Account {}

    private enum State {
        OPEN;

        @Override
        public String toString() {
            return "open";
        }
    }

    static class Order {

        public final String region = "eu";
        private final @Nullable String customer;

        Order(@Nullable String customer) {
            this.customer = customer;
        }

        public @Nullable String getCustomer() {
            return customer;
        }

        public List<Order> parts() {
            return List.of(this);
        }

        public boolean isPaid() {
            return true;
        }
    }

    interface Shape {}

    static class Square implements Shape {

        public int getSide() {
            return 3;
        }
    }

    static class Parts {

        @DynamoLocked(key = "'x:' + #part")
        public void right(Object part) {}

        @DynamoLocked(key = "#part + ':x'")
        public void left(Object part) {}

        @DynamoLocked(key = "#a + #b")
        public void sum(Object a, Object b) {}

        @DynamoLocked(key = "#a + #b + ' ' + (#a > 1 ? '' : ' ')")
        public void textAfterSum(int a, double b) {}

        @DynamoLocked(key = "'x:'.concat(#part)")
        public void concat(Object part) {}

        @DynamoLocked(key = "T(String).format('%s:%s', 'x', #part)")
        public void format(Object part) {}

        @DynamoLocked(key = "T(java.lang.String).format(T(java.util.Locale).ROOT, '%05d|%.2f|%tF', #a, #b, #c)")
        public void formatted(int a, BigDecimal b, LocalDate c) {}

        @DynamoLocked(key = "T(String).join(':', 'x', #part)")
        public void join(Object part) {}

        @DynamoLocked(key = "T(java.lang.String).join(',', new java.util.TreeSet(#ids))")
        public void joinAll(List<String> ids) {}

        @DynamoLocked(key = "T(String).join(',', #ids)")
        public void joinAsGiven(Collection<String> ids) {}

        @DynamoLocked(key = "T(String).format(#locale, '%s/%s', #root.args)")
        public void formatAll(Locale locale, String id) {}

        @DynamoLocked(key = "#root[0]")
        public void ofRoot() {}

        @DynamoLocked(key = "#ids.!['x:' + #this]")
        public void each(List<?> ids) {}

        @DynamoLocked(key = "'x:' + (#part == null ? '' : #part) + '/' + (#other ?: '')")
        public void fallback(@Nullable Object part, @Nullable Object other) {}

        @DynamoLocked(key = "'${orders.region}:' + #id + \"/${orders.none:}${orders.bad}\"")
        public void placeholders(String id) {}

        @DynamoLocked(key = "${orders.bad}")
        public void onlyPlaceholder() {}

        @DynamoLocked(
                key = "'a'",
                condition = "${orders.on} and #n > ${orders.limit} and '${orders.region}' == ${orders.region}")
        public void condition(int n) {
            ran = true;
        }

        @DynamoLocked(key = "${orders.site} + #id")
        public void siteAndId(int id) {}

        @DynamoLocked(
                key =
                        "'${orders.limit}:' + #id % ${orders.limit} + (#id > 5 ? ${orders.rate} : (#none ?: ${orders.site}))")
        public void calculated(int id, @Nullable String none) {}

        @DynamoLocked(key = "#id -${orders.least}")
        public void minus(int id) {}

        @DynamoLocked(key = "${orders.rate}")
        public void onlyANumber() {}

        @DynamoLocked(key = "{${orders.site}, #id.concat(${orders.rate}), T(String).join('/', ${orders.site}, #id)}")
        public void texts(String id) {}

        @DynamoLocked(
                key = "'a'",
                condition = "#n > ${orders.huge} and #n between {${orders.least}, ${orders.huge} * 2}"
                        + " and #text == ${orders.limit}")
        public void conditionOfLargeNumbers(long n, String text) {
            ran = true;
        }

        @DynamoLocked(key = "#a.concat(':').concat(#b)")
        public void concatOfBoth(Object a, Object b) {}

        @DynamoLocked(key = "#order.customer.concat(':')?.concat('x')")
        public void concatOfProperty(Order order) {}

        @DynamoLocked(key = "#a?.concat(':') ?: 'none'")
        public void concatIfThereIsOne(@Nullable String a) {}

        @DynamoLocked(key = "#m[#a + #b]")
        public void found(Map<String, String> m, String a, String b) {}

        @DynamoLocked(key = "T(String).join(',', #ids.![#this + '!'])")
        public void joinOfProjection(Collection<String> ids) {}

        @DynamoLocked(key = "T(String).join(',', #map.![key])")
        public void joinOfMap(Map<String, String> map) {}

        @DynamoLocked(key = "T(String).join(',', new java.util.TreeSet(#ids.![#this]))")
        public void joinOfSorted(Collection<String> ids) {}

        @DynamoLocked(key = "#ids.!['x' + #this]")
        public void eachOfSet(Set<String> ids) {}

        @DynamoLocked(key = "'a'", condition = "#text + #object != 'a'")
        public void conditionOfAnything(@Nullable String text, @Nullable Object object) {
            ran = true;
        }

        @DynamoLocked(
                key =
                        "#order.region + #order?.getCustomer()?.toUpperCase() + #seat.row + #map['region'] + #list[0].customer"
                                + " + #order.parts()[0].customer + #list.?[customer != null].![customer].size()"
                                + " + #optional.get() + #type.simpleName + #array.length + #order.paid + #order.class.simpleName")
        public void everyWayIn(
                Order order,
                Seat seat,
                Map<String, Object> map,
                List<Order> list,
                Optional<String> optional,
                Class<?> type,
                String[] array) {}

        @DynamoLocked(
                key = "'x' + (#shape instanceof T(io.dynamolock.spring.aspect.KeyPartsTest$Square) ? #shape.side : 0)")
        public void tested(Shape shape) {}

        @DynamoLocked(key = "#shape")
        public void perhaps(Shape shape) {}

        @DynamoLocked(key = "'order:' + #order.custmer")
        public void unknownProperty(Order order) {}

        @DynamoLocked(key = "@tenantz.current() + #id")
        public void unknownBean(String id) {}

        @DynamoLocked(key = "#id % ${orders.region}")
        public void textWhereANumberIsNeeded(int id) {}

        @DynamoLocked(key = "'a'", condition = "#n == ${orders.region}")
        public void textComparedWithANumber(int n) {}

        @DynamoLocked(key = "'a'", condition = "#is != ${orders.region}")
        public void textComparedWithATruth(boolean is) {}

        @DynamoLocked(key = "'a'", condition = "#n > 1 and ${orders.region}")
        public void textWhereATruthIsNeeded(int n) {}

        @DynamoLocked(key = "#id${orders.region}")
        public void placeholderBesideAParameter(String id) {}

        @DynamoLocked(key = "(#n > ${orders.limit} ? 'many' : 'few') + ${orders.limit} * #n + (#is == ${orders.on})")
        public void comparedAndCalculated(int n, boolean is) {}

        @DynamoLocked(key = "'a' + null")
        public void nullInText() {}

        @DynamoLocked(key = "' '")
        public void blank() {}

        @DynamoLocked(key = "'a' + #root")
        public void rootInText() {}

        @DynamoLocked(key = "'a'", condition = "${orders.bad}")
        public void textAsCondition() {}
    }

    private String key() {
        String key = context.locks.onlyRequest().key();
        context.locks.requests.clear();
        return key;
    }

    private void refuses(String message, Runnable call) {
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(call::run)
                .withMessageContaining("@DynamoLocked on Parts.")
                .withMessageContaining(message);
        assertThat(context.locks.requests).isEmpty();
    }

    @Test
    void anObjectInATextIsRefusedAsItIsAlone() {
        String account = "#part: a " + Account.class.getName() + " cannot be a key. Take a string, a number,";
        for (Runnable call : List.<Runnable>of(
                () -> parts.right(new Account()),
                () -> parts.left(new Account()),
                () -> parts.concat(new Account()),
                () -> parts.format(new Account()),
                () -> parts.join(new Account()),
                () -> parts.fallback(new Account(), null))) {
            refuses(account, call);
        }
        refuses("#other: a " + Account.class.getName(), () -> parts.fallback(null, new Account()));
        refuses("#this: a " + Account.class.getName(), () -> parts.each(List.of("a", new Account())));
    }

    @Test
    @SuppressWarnings("UnnecessaryStringBuilder") // It is the type that matters.
    void nullAndBlankInATextAreRefusedAsTheyAreAlone() {
        for (Object nothing : Arrays.asList(null, "", " \t", new StringBuilder())) {
            String message = "#part is " + (nothing == null ? "null" : "blank");
            refuses(message, () -> parts.right(nothing));
            refuses(message, () -> parts.left(nothing));
            refuses(message, () -> parts.concat(nothing));
            refuses(message, () -> parts.format(nothing));
            refuses(message, () -> parts.join(nothing));
            refuses("#this is", () -> parts.each(Arrays.asList("a", nothing)));
            refuses("#b is", () -> parts.sum("a", nothing));
        }
        refuses("#part is blank", () -> parts.fallback("", null));
        refuses("is blank", () -> parts.fallback(null, " "));
    }

    @Test
    void whatTheAuthorWroteForWantOfAValueIsNoBlankValue() {
        parts.fallback(null, "");
        assertThat(key()).isEqualTo("x:/");
        parts.textAfterSum(2, 0.5);
        assertThat(key()).isEqualTo("2.5 ");
    }

    @Test
    void aNumberInATextIsWrittenAsItIsAlone() {
        for (Object number : List.of(new BigDecimal("1.50"), 1.5, 1.5f, new BigDecimal("1.500"))) {
            parts.right(number);
            assertThat(key()).isEqualTo("x:1.5");
            parts.left(number);
            assertThat(key()).isEqualTo("1.5:x");
            parts.sum("x:", number);
            assertThat(key()).isEqualTo("x:1.5");
            parts.concat(number);
            assertThat(key()).isEqualTo("x:1.5");
            parts.format(number);
            assertThat(key()).isEqualTo("x:1.5");
            parts.join(number);
            assertThat(key()).isEqualTo("x:1.5");
        }
        parts.right(new BigDecimal("1E+3"));
        assertThat(key()).isEqualTo("x:1000");
        parts.right(-0.0);
        assertThat(key()).isEqualTo("x:0");
        refuses("NaN cannot be a key", () -> parts.right(Double.NaN));
        parts.formatted(42, new BigDecimal("1.500"), LocalDate.of(2026, 3, 1));
        assertThat(key()).isEqualTo("00042|1.50|2026-03-01");
    }

    @Test
    void twoNumbersAreAdded() {
        parts.sum(1, 2);
        assertThat(key()).isEqualTo("3");
        parts.sum(0.1, 0.2);
        assertThat(key()).isEqualTo("0.30000000000000004");
    }

    @Test
    void recordsEnumsAndDatesInATextAreWrittenAsTheyAreAlone() {
        Map<Object, String> texts = Map.of(
                new Seat("Main", new BigDecimal("7.0")),
                "x:Seat[hall=\"Main\", row=7]",
                State.OPEN,
                "x:OPEN",
                'c',
                "x:c",
                LocalDate.of(2026, 3, 1),
                "x:2026-03-01");
        texts.forEach((value, text) -> {
            parts.right(value);
            assertThat(key()).isEqualTo(text);
            parts.concat(value);
            assertThat(key()).isEqualTo(text);
            parts.format(value);
            assertThat(key()).isEqualTo(text);
            parts.join(value);
            assertThat(key()).isEqualTo(text);
        });
    }

    @Test
    void aCollectionInATextIsRefusedAndAProjectionLocksEach() {
        for (Object several : List.of(List.of("a", "b"), new String[] {"a", "b"}, Map.of("a", "b"))) {
            refuses("#ids.!['order:' + #this]; or write them in keys", () -> parts.right(several));
            refuses("cannot be a key: it is a collection", () -> parts.left(several));
            refuses("cannot be a key: it is a collection", () -> parts.concat(several));
        }
        refuses("#part: a long[] cannot be a key", () -> parts.join(new long[] {1}));
        refuses("#part: a long[] cannot be a key", () -> parts.format(new long[] {1}));
        parts.each(List.of("a", new BigDecimal("1.0")));
        assertThat(context.locks.requests).extracting(request -> request.key()).containsExactly("x:a", "x:1");
    }

    @Test
    void aTextOfAllInOneOrderIsOneKey() {
        parts.joinAll(List.of("b", "a"));
        assertThat(key()).isEqualTo("a,b");
        parts.joinAsGiven(List.of("b", "a"));
        assertThat(key()).isEqualTo("b,a");
        refuses("new java.util.TreeSet(#ids)", () -> parts.joinAsGiven(Set.of("b", "a")));
        parts.formatAll(Locale.ROOT, "i");
        assertThat(key()).isEqualTo("/i");
        parts.join("y");
        assertThat(key()).isEqualTo("x:y");
        refuses("is blank", () -> parts.joinAll(List.of("a", "")));
    }

    @Test
    void theValueOfAPropertyIsATextAndNeverAnExpression() {
        parts.placeholders("42");
        assertThat(key()).isEqualTo("eu:42/" + BAD);
        parts.onlyPlaceholder();
        assertThat(key()).isEqualTo(BAD);
    }

    @Test
    void aNumberOfAPropertyIsATextWhereTextsAreJoinedAndANumberElsewhere() {
        parts.siteAndId(2);
        assertThat(key()).isEqualTo("012");
        parts.calculated(13, null);
        assertThat(key()).isEqualTo("10:31.10");
        parts.calculated(3, null);
        assertThat(key()).isEqualTo("10:301");
        parts.minus(2);
        assertThat(key()).isEqualTo("7");
        parts.comparedAndCalculated(11, true);
        assertThat(key()).isEqualTo("many110true");
        parts.comparedAndCalculated(10, false);
        assertThat(key()).isEqualTo("few100false");
        parts.onlyANumber();
        assertThat(key()).isEqualTo("1.10");
        parts.texts("i");
        assertThat(context.locks.requests)
                .extracting(request -> request.key())
                .containsExactlyInAnyOrder("01", "i1.10", "01/i");
    }

    @Test
    void aConditionTakesNumbersOfTenAndMoreDigits() {
        ran = false;
        parts.conditionOfLargeNumbers(3_000_000_000L, "10");
        parts.conditionOfLargeNumbers(3_000_000_001L, "11");
        assertThat(context.locks.requests).isEmpty();
        assertThat(ran).isTrue();
        parts.conditionOfLargeNumbers(3_000_000_001L, "10");
        assertThat(key()).isEqualTo("a");
    }

    @Test
    void whatATextIsConcatenatedToIsHeldToTheSameRules() {
        for (Object blank : List.of("", " \t")) {
            refuses("#a is blank", () -> parts.concatOfBoth(blank, "b"));
            refuses("#order.customer is blank", () -> parts.concatOfProperty(new Order((String) blank)));
            refuses("#a is blank", () -> parts.concatIfThereIsOne((String) blank));
        }
        refuses("#order.customer is null", () -> parts.concatOfProperty(new Order(null)));
        refuses("#a: a " + Account.class.getName(), () -> parts.concatOfBoth(new Account(), "b"));
        parts.concatOfBoth("a", "b");
        assertThat(key()).isEqualTo("a:b");
        parts.concatOfProperty(new Order("c"));
        assertThat(key()).isEqualTo("c:x");
        parts.concatIfThereIsOne(null);
        assertThat(key()).isEqualTo("none");
    }

    @Test
    void aSumInAnIndexIsNotTheKey() {
        parts.found(Map.of(" b", "found"), " ", "b");
        assertThat(key()).isEqualTo("found");
    }

    @Test
    void aTextOfAllWithoutAnOrderIsRefused() {
        Map<String, String> map = new HashMap<>(Map.of("a", "b", "c", "d"));
        refuses("#ids: a java.util.HashMap$Values cannot be a key", () -> parts.joinAsGiven(map.values()));
        refuses("#ids: a java.util.HashSet cannot be a key", () -> parts.joinOfProjection(new HashSet<>(Set.of("b"))));
        refuses("#map: a java.util.HashMap cannot be a key", () -> parts.joinOfMap(map));
        parts.joinOfMap(new TreeMap<>(map));
        assertThat(key()).isEqualTo("a,c");
        parts.joinOfProjection(List.of("b", "a"));
        assertThat(key()).isEqualTo("b!,a!");
        parts.joinOfProjection(new TreeSet<>(Set.of("b", "a")));
        assertThat(key()).isEqualTo("a!,b!");
        parts.joinOfSorted(Set.of("b", "a"));
        assertThat(key()).isEqualTo("a,b");
        parts.eachOfSet(Set.of("b", "a"));
        assertThat(context.locks.requests).extracting(request -> request.key()).containsExactlyInAnyOrder("xa", "xb");
    }

    @Test
    void aConditionTakesANumberOrATruthFromAPropertyAndKnowsNoRulesOfKeys() {
        parts.condition(10);
        assertThat(context.locks.requests).isEmpty();
        parts.condition(11);
        assertThat(key()).isEqualTo("a");
        ran = false;
        parts.conditionOfAnything(" ", new Account());
        assertThat(ran).isTrue();
        assertThat(key()).isEqualTo("a");
    }

    @Test
    void noMessageNamesAClassOfOurs() {
        assertThatExceptionOfType(LockKeyException.class)
                .isThrownBy(parts::ofRoot)
                .withMessageContaining("Parts.ofRoot()")
                .withMessageContaining("#root")
                .withMessageNotContaining("KeyRoot");
    }

    @Test
    void aMistakeInAnExpressionFailsTheCallAndNamesExpressionAndMethod() {
        refuses("key \"'order:' + #order.custmer\": EL1008E", () -> parts.unknownProperty(new Order("c")));
        refuses("unknownBean(String), key \"@tenantz.current() + #id\": EL1058E", () -> parts.unknownBean("1"));
        refuses("key \"#id % ${orders.region}\": ", () -> parts.textWhereANumberIsNeeded(1));
        refuses("[java.math.BigDecimal] for value [eu]", () -> parts.textComparedWithANumber(1));
        refuses("[java.lang.Boolean] for value [eu]", () -> parts.textComparedWithATruth(true));
        refuses("java.lang.Boolean", () -> parts.textWhereATruthIsNeeded(2));
        refuses("key \"#id${orders.region}\": ", () -> parts.placeholderBesideAParameter("1"));
        refuses("key \"'a' + null\": null is null", parts::nullInText);
        refuses("key \"' '\": the key is blank", parts::blank);
        refuses("#root: a #root cannot be a key", parts::rootInText);
        refuses("condition \"${orders.bad}\": it is a java.lang.String, not true or false", parts::textAsCondition);
    }

    @Test
    void anOptionalBeforeAnElvisIsItsValue() {
        parts.fallback("p", Optional.of(new BigDecimal("1.50")));
        assertThat(key()).isEqualTo("x:p/1.5");
        parts.fallback("p", Optional.empty());
        assertThat(key()).isEqualTo("x:p/");
        refuses("#other: a " + Account.class.getName(), () -> parts.fallback("p", Optional.of(new Account())));
    }

    @Test
    void whatDeclaredTypesHaveOrLeaveOpenIsNotRefused() {
        Order order = new Order("c");
        parts.everyWayIn(
                order,
                new Seat("Main", BigDecimal.ONE),
                Map.of("region", "us"),
                List.of(order),
                Optional.of("o"),
                String.class,
                new String[2]);
        assertThat(key()).isEqualTo("euC1uscc1oString2trueOrder");
        parts.tested(new Square());
        assertThat(key()).isEqualTo("x3");
        refuses("Square cannot be a key", () -> parts.perhaps(new Square()));
    }
}
