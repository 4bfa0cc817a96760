package io.dynamolock.spring.internal.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.LockKeyException;
import io.dynamolock.spring.aspect.AspectContext;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    record Item(int total) {}

    record Address(String zip) {

        public String formatted() {
            return "zip " + zip;
        }

        public String formatted(String prefix) {
            return prefix + zip;
        }

        public String concat(String suffix) {
            return zip + suffix;
        }

        public static String join(String zip) {
            return "/" + zip;
        }
    }

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

        @DynamoLocked(key = "'total:' + (#a + #b)")
        public void sumInside(Object a, Object b) {}

        @DynamoLocked(key = "#a + #b + ':eur'")
        public void sumFirst(Object a, Object b) {}

        @DynamoLocked(key = "1.7e308 + 1.7e308 + ':' + #part")
        public void sumOfTooMuch(Object part) {}

        @DynamoLocked(key = "new String('order:' + #part)")
        public void argumentOfAConstructor(@Nullable Object part) {}

        @DynamoLocked(key = "{order: 'order:' + #part}['order']")
        public void valueOfAMap(@Nullable Object part) {}

        @DynamoLocked(key = "#names.^[('x:' + #part) != null]")
        public void insideASelection(List<String> names, @Nullable Object part) {}

        @DynamoLocked(key = "('x:' + #part) instanceof T(String) ? 'a' : 'b'")
        public void testedSum(@Nullable Object part) {}

        @DynamoLocked(key = "#root.args[0] = 'x:' + #part")
        public void assigned(@Nullable Object part) {}

        @DynamoLocked(key = "#join('x:' + #part)")
        public void argumentOfAFunction(MethodHandle join, @Nullable Object part) {}

        @DynamoLocked(key = "'a'", condition = "!#items.?[total > ${orders.limit} * 2].isEmpty()")
        public void selected(List<Item> items) {}

        @DynamoLocked(key = "'a'", condition = "#items?.^[total > ${orders.limit} * 2]?.total == 25")
        public void firstSelected(@Nullable List<Item> items) {}

        @DynamoLocked(key = "'a'", condition = "#items?.$[total > ${orders.limit} * 2]?.total == 25")
        public void lastSelected(@Nullable List<Item> items) {}

        @DynamoLocked(
                key = "'a'",
                condition = "#n > new java.util.concurrent.atomic.AtomicInteger(${orders.limit} * 2).get()")
        public void calculatedForAConstructor(int n) {}

        @DynamoLocked(key = "#address.formatted()")
        public void ownFormatted(Address address) {}

        @DynamoLocked(key = "#address.formatted(#zip)")
        public void ownFormattedWithArguments(Address address, String zip) {}

        @DynamoLocked(
                key = "#address.concat(#zip) + T(io.dynamolock.spring.internal.keys.KeyPartsTest$Address).join(#zip)")
        public void ownConcatAndJoin(Address address, String zip) {}

        @DynamoLocked(key = "new String[] {'a', 'b'}[#i] + new int[3].length + ('a' matches '[a-c]')")
        public void ofArrays(int i) {}

        @DynamoLocked(key = "('X:' + #part).toLowerCase()")
        public void lowerCase(@Nullable Object part) {}

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

        @DynamoLocked(key = "{${orders.site}, #id + ${orders.rate}}")
        public void texts(String id) {}

        @DynamoLocked(
                key = "'a'",
                condition = "#n > ${orders.huge} and #n between {${orders.least}, ${orders.huge} * 2}"
                        + " and #text == ${orders.limit}")
        public void conditionOfLargeNumbers(long n, String text) {
            ran = true;
        }

        @DynamoLocked(key = "#m[#a + #b]")
        public void found(Map<String, String> m, String a, String b) {}

        @DynamoLocked(key = "new java.util.TreeSet(#ids).toString()")
        public void allInOneOrder(Collection<String> ids) {}

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
                key =
                        "'x' + (#shape instanceof T(io.dynamolock.spring.internal.keys.KeyPartsTest$Square) ? #shape.side : 0)")
        public void tested(Shape shape) {}

        @DynamoLocked(key = "#shape")
        public void perhaps(Shape shape) {}

        @DynamoLocked(key = "'order:' + #order.custmer")
        public void unknownProperty(Order order) {}

        @DynamoLocked(key = "@tenantz.current() + #id")
        public void unknownBean(String id) {}

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
            refuses("#this is", () -> parts.each(Arrays.asList("a", nothing)));
            refuses("#b is", () -> parts.sum("a", nothing));
        }
        refuses("#part is blank", () -> parts.fallback("", null));
        refuses("is blank", () -> parts.fallback(null, " "));
    }

    @Test
    void whatTheAuthorWroteForWantOfAValueIsNoBlankValue() {
        context.asksFor("x:/", () -> parts.fallback(null, ""));
        context.asksFor("2.5 ", () -> parts.textAfterSum(2, 0.5));
    }

    @Test
    void aNumberInATextIsWrittenAsItIsAlone() {
        for (Object number : List.of(new BigDecimal("1.50"), 1.5, 1.5f, new BigDecimal("1.500"))) {
            context.asksFor("x:1.5", () -> parts.right(number));
            context.asksFor("1.5:x", () -> parts.left(number));
            context.asksFor("x:1.5", () -> parts.sum("x:", number));
        }
        context.asksFor("x:1000", () -> parts.right(new BigDecimal("1E+3")));
        context.asksFor("x:0", () -> parts.right(-0.0));
        refuses("NaN cannot be a key", () -> parts.right(Double.NaN));
    }

    @Test
    void twoNumbersAreAdded() {
        context.asksFor("3", () -> parts.sum(1, 2));
        context.asksFor("0.30000000000000004", () -> parts.sum(0.1, 0.2));
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
            context.asksFor(text, () -> parts.right(value));
        });
    }

    @Test
    void aCollectionInATextIsRefusedAndAProjectionLocksEach() {
        for (Object several : List.of(List.of("a", "b"), new String[] {"a", "b"}, Map.of("a", "b"))) {
            refuses("#ids.!['order:' + #this]; or write them in keys", () -> parts.right(several));
            refuses("cannot be a key: it is a collection", () -> parts.left(several));
        }
        parts.each(List.of("a", new BigDecimal("1.0")));
        assertThat(context.locks.requests).extracting(request -> request.key()).containsExactly("x:a", "x:1");
    }

    @Test
    void aTextOfAllInOneOrderIsOneKey() {
        for (Collection<String> ids : List.of(List.of("b", "a"), Set.of("b", "a"))) {
            context.asksFor("[a, b]", () -> parts.allInOneOrder(ids));
        }
    }

    @Test
    void theValueOfAPropertyIsATextAndNeverAnExpression() {
        context.asksFor("eu:42/" + BAD, () -> parts.placeholders("42"));
        context.asksFor(BAD, () -> parts.onlyPlaceholder());
    }

    @Test
    void aNumericPlaceholderIsATextBesidePlusAndANumberInCalculations() {
        context.asksFor("012", () -> parts.siteAndId(2));
        context.asksFor("10:31.10", () -> parts.calculated(13, null));
        context.asksFor("10:301", () -> parts.calculated(3, null));
        context.asksFor("7", () -> parts.minus(2));
        context.asksFor("many110true", () -> parts.comparedAndCalculated(11, true));
        context.asksFor("few100false", () -> parts.comparedAndCalculated(10, false));
        context.asksFor("1.10", () -> parts.onlyANumber());
        parts.texts("i");
        assertThat(context.locks.requests)
                .extracting(request -> request.key())
                .containsExactlyInAnyOrder("01", "i1.10");
    }

    @Test
    void aConditionTakesNumbersOfTenAndMoreDigits() {
        ran = false;
        parts.conditionOfLargeNumbers(3_000_000_000L, "10");
        parts.conditionOfLargeNumbers(3_000_000_001L, "11");
        assertThat(context.locks.requests).isEmpty();
        assertThat(ran).isTrue();
        context.asksFor("a", () -> parts.conditionOfLargeNumbers(3_000_000_001L, "10"));
    }

    @Test
    void aSumInsideATextIsWrittenAsItIsAlone() {
        context.asksFor("total:3", () -> parts.sumInside(1, 2));
        context.asksFor("total:3", () -> parts.sumInside(1.5, 1.5));
        context.asksFor("total:ab", () -> parts.sumInside("a", "b"));
        context.asksFor("3:eur", () -> parts.sumFirst(new BigDecimal("1.1"), new BigDecimal("1.9")));
        refuses("Infinity cannot be a key", () -> parts.sumOfTooMuch(1));
    }

    @Test
    void theRulesReachIntoEveryKindOfExpression() throws ReflectiveOperationException {
        MethodHandle identity = MethodHandles.identity(String.class);
        for (Object part : Arrays.asList(null, new Account())) {
            String message = part == null ? "#part is null" : "#part: a " + Account.class.getName();
            refuses(message, () -> parts.argumentOfAConstructor(part));
            refuses(message, () -> parts.valueOfAMap(part));
            refuses(message, () -> parts.insideASelection(List.of("a"), part));
            refuses(message, () -> parts.testedSum(part));
            refuses(message, () -> parts.assigned(part));
            refuses(message, () -> parts.argumentOfAFunction(identity, part));
        }
        context.asksFor("order:1", () -> parts.argumentOfAConstructor(new BigDecimal("1.0")));
        context.asksFor("order:1", () -> parts.valueOfAMap(1));
        context.asksFor("a", () -> parts.insideASelection(List.of("a"), 1));
        context.asksFor("a", () -> parts.testedSum(1));
        context.asksFor("x:1", () -> parts.assigned(1));
        context.asksFor("x:1", () -> parts.argumentOfAFunction(identity, 1));
        context.asksFor("b3true", () -> parts.ofArrays(1));
    }

    @Test
    void oneCalculatesWithAPlaceholderInEveryKindOfExpression() {
        List<Item> tooSmall = List.of(new Item(15));
        List<Item> firstFits = List.of(new Item(1), new Item(25), new Item(30));
        List<Item> lastFits = List.of(new Item(30), new Item(25), new Item(1));
        for (Runnable unlocked : List.<Runnable>of(
                () -> parts.selected(tooSmall),
                () -> parts.firstSelected(tooSmall),
                () -> parts.firstSelected(lastFits),
                () -> parts.firstSelected(null),
                () -> parts.lastSelected(firstFits),
                () -> parts.lastSelected(null),
                () -> parts.calculatedForAConstructor(15))) {
            unlocked.run();
            assertThat(context.locks.requests).isEmpty();
        }
        context.asksFor("a", () -> parts.selected(firstFits));
        context.asksFor("a", () -> parts.firstSelected(firstFits));
        context.asksFor("a", () -> parts.lastSelected(lastFits));
        context.asksFor("a", () -> parts.calculatedForAConstructor(25));
    }

    @Test
    void aMethodOfOnesOwnMayHaveTheNameOfOneThatTextsHave() {
        context.asksFor("zip 1", () -> parts.ownFormatted(new Address("1")));
        context.asksFor("21", () -> parts.ownFormattedWithArguments(new Address("1"), "2"));
        context.asksFor("12/2", () -> parts.ownConcatAndJoin(new Address("1"), "2"));
    }

    @Test
    void aTextThatAMethodChangesIsHeldToTheSameRules() {
        context.asksFor("x:y", () -> parts.lowerCase("Y"));
        refuses("#part is null", () -> parts.lowerCase(null));
    }

    @Test
    void aSumInAnIndexIsNotTheKey() {
        context.asksFor("found", () -> parts.found(Map.of(" b", "found"), " ", "b"));
    }

    @Test
    void aProjectionOfASetLocksEach() {
        parts.eachOfSet(Set.of("b", "a"));
        assertThat(context.locks.requests).extracting(request -> request.key()).containsExactlyInAnyOrder("xa", "xb");
    }

    @Test
    void aConditionMayComparePlaceholdersAndIsNotBoundByTheRulesOfKeys() {
        parts.condition(10);
        assertThat(context.locks.requests).isEmpty();
        context.asksFor("a", () -> parts.condition(11));
        ran = false;
        context.asksFor("a", () -> parts.conditionOfAnything(" ", new Account()));
        assertThat(ran).isTrue();
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
        context.asksFor("x:p/1.5", () -> parts.fallback("p", Optional.of(new BigDecimal("1.50"))));
        context.asksFor("x:p/", () -> parts.fallback("p", Optional.empty()));
        refuses("#other: a " + Account.class.getName(), () -> parts.fallback("p", Optional.of(new Account())));
    }

    @Test
    void whatDeclaredTypesHaveOrLeaveOpenIsNotRefused() {
        Order order = new Order("c");
        context.asksFor(
                "euC1uscc1oString2trueOrder",
                () -> parts.everyWayIn(
                        order,
                        new Seat("Main", BigDecimal.ONE),
                        Map.of("region", "us"),
                        List.of(order),
                        Optional.of("o"),
                        String.class,
                        new String[2]));
        context.asksFor("x3", () -> parts.tested(new Square()));
        refuses("Square cannot be a key", () -> parts.perhaps(new Square()));
    }
}
