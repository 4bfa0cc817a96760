package io.dynamolock.lockingread;

import static io.dynamolock.internal.testing.Thrown.refused;
import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.internal.time.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** One caller's cycle of lock, read, write and unlock, as the table sees it. */
class LockingReadTest {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Key KEY = Shop.key("42");

    @AutoClose
    private final Shop shop = new Shop();

    private final LockingTable<Customer> customers = shop.customers();
    private final LockingTable<Customer> creating =
            shop.customers("me").lockAbsentItems().build();

    /** Of a total of 5. */
    private LockedItem<Customer> lockedCustomer() {
        shop.putCustomer("42", 5);
        return customers.lockAndRead(KEY, LEASE).orElseThrow();
    }

    @Test
    void lockingAndWritingTakesTwoCallsAndAnExtensionOneMore() {

        try (LockedItem<Customer> locked = lockedCustomer()) {
            locked.extend(LEASE);
            assertThat(shop.calls()).containsExactly("UpdateItem", "UpdateItem");
            Customer customer = locked.item();
            customer.setTotal(customer.getTotal() + 1);
            assertThat(locked.updateAndRelease(customer).getTotal()).isEqualTo(6);
        }

        assertThat(shop.calls()).hasSize(3).containsOnly("UpdateItem");
        assertThat(shop.item("42")).isEqualTo(Shop.customer("42", 6));
    }

    @Test
    void lockingAndReleasingTakesTwoCalls() {

        try (LockedItem<Customer> locked = lockedCustomer()) {
            assertThat(locked.release()).isTrue();
            assertThat(locked.release()).isFalse();
        }

        assertThat(shop.calls()).containsExactly("UpdateItem", "UpdateItem");
        assertThat(shop.item("42")).isEqualTo(Shop.customer("42", 5));
    }

    @Test
    void theLockIsReadableInTheItem() {
        shop.putCustomer("42", 5);
        shop.tellsTime(Instant::now);

        LockedItem<Customer> locked = customers.lockAndRead(KEY, LEASE).orElseThrow();

        assertThat(shop.item("42"))
                .containsOnlyKeys("id", "total", "lockToken", "lockedBy", "lockedUntil", "lockLease")
                .containsEntry("lockedBy", AttributeValue.fromS("me"))
                .containsEntry("lockLease", Shop.number(30_000));
        assertThat(locked.isValid()).isTrue();
        assertThat(locked.remaining()).isPositive().isLessThanOrEqualTo(LEASE);
    }

    @Test
    void oneTryOfASecondCallerTellsTheHolderAndTheRestOfTheLease() {
        shop.putCustomer("42", 5);
        assertThat(customers.lockAndRead(KEY, LEASE)).isPresent();
        shop.requests().clear();

        assertThat(shop.customers("other").build().lockAndRead(KEY, LEASE)).isEmpty();
        assertThatExceptionOfType(ItemLockedException.class)
                .isThrownBy(() -> shop.customers("other").build().lockAndRead(KEY, LEASE, Duration.ZERO))
                .withMessageContainingAll("42", shop.name)
                .satisfies(e -> {
                    assertThat(e.holder()).contains("me");
                    assertThat(e.remaining()).isBetween(LEASE, LEASE.plus(LEASE.dividedBy(12)));
                    assertThat(e.waited()).isLessThan(LEASE);
                    assertThat(e.key()).isEqualTo(Map.of("id", AttributeValue.fromS("42")));
                    assertThat(e.tableName()).isEqualTo(shop.name);
                });

        assertThat(shop.calls()).containsExactly("UpdateItem", "UpdateItem");
    }

    @Test
    void aWaitingCallerGetsTheItemWhenItIsReleased() throws Exception {
        shop.putCustomer("42", 5);
        LockedItem<Customer> first = customers.lockAndRead(KEY, LEASE).orElseThrow();
        Thread releaser = new Thread(first::release);
        LockingTable<Customer> other = shop.customers("other")
                .on(TimeSource.system(), pause -> {
                    releaser.start();
                    return Delayer.blocking().after(pause);
                })
                .pollInterval(Duration.ofSeconds(1), Duration.ofSeconds(1))
                .build();

        LockedItem<Customer> second = other.lockAndRead(KEY, LEASE, LEASE);

        assertThat(second.item().getTotal()).isEqualTo(5);
        releaser.join();
    }

    @Test
    void attributesThatTheClassDoesNotKnowSurvive() {
        AttributeValue map = AttributeValue.fromM(Map.of("deep", AttributeValue.fromL(List.of(Shop.number(1)))));
        shop.put(Map.of(
                "id", AttributeValue.fromS("42"),
                "total", Shop.number(5),
                "unknown", map,
                "bytes", AttributeValue.fromB(SdkBytes.fromUtf8String("x"))));

        LockedItem<Customer> locked = customers.lockAndRead(KEY, LEASE).orElseThrow();
        locked.updateAndRelease(Customer.of("42", 6));

        assertThat(shop.item("42"))
                .containsOnlyKeys("id", "total", "unknown", "bytes")
                .containsEntry("unknown", map)
                .containsEntry("total", Shop.number(6));
    }

    @Test
    void onlyChangedAttributesAreWritten() {
        shop.put(Map.of(
                "id", AttributeValue.fromS("42"),
                "total", AttributeValue.fromN("5.0"),
                "name", AttributeValue.fromS("Ada"),
                "scores", AttributeValue.fromNs(List.of("3", "1", "2"))));
        LockedItem<Customer> locked = customers.lockAndRead(KEY, LEASE).orElseThrow();
        shop.set("42", "name", AttributeValue.fromS("Grace"));

        Customer customer = locked.item();
        customer.setTotal(6L);
        customer.setScores(Set.of(1, 2, 3));
        Customer written = locked.updateAndRelease(customer);

        assertThat(written.getName()).isEqualTo("Grace");
        assertThat(shop.item("42"))
                .containsEntry("name", AttributeValue.fromS("Grace"))
                .containsEntry("total", Shop.number(6));
        UpdateItemRequest write = (UpdateItemRequest) shop.requests().get(1);
        assertThat(write.expressionAttributeNames().values()).doesNotContain("name", "scores");
    }

    @Test
    void aWriteWithoutTheLockIsNotOverwritten() {
        LockedItem<Customer> locked = lockedCustomer();
        shop.set("42", "total", Shop.number(100));

        Customer customer = locked.item();
        customer.setTotal(6L);
        assertThatExceptionOfType(ItemChangedException.class)
                .isThrownBy(() -> locked.updateAndRelease(customer))
                .withMessageContaining("total")
                .satisfies(e -> assertThat(e.attributes()).containsExactly("total"));

        assertThat(shop.item("42")).containsEntry("total", Shop.number(100)).containsKey("lockToken");
        assertThat(locked.isValid()).isTrue();
        assertThat(locked.release()).isTrue();
        assertThat(shop.item("42")).containsOnlyKeys("id", "total");
    }

    @Test
    void anAttributeThatAnotherWriteAddedIsNotOverwritten() {
        LockedItem<Customer> locked = lockedCustomer();
        shop.set("42", "name", AttributeValue.fromS("Grace"));

        Customer customer = locked.item();
        customer.setName("Ada");

        assertThatExceptionOfType(ItemChangedException.class).isThrownBy(() -> locked.updateAndRelease(customer));
        assertThat(shop.item("42")).containsEntry("name", AttributeValue.fromS("Grace"));
    }

    @Test
    void anItemThatWasReplacedOrDeletedWithoutTheLockIsNotOverwritten() {
        shop.putCustomer("42", 5);
        LockedItem<Customer> replaced = customers.lockAndRead(KEY, LEASE).orElseThrow();
        // The very value that is about to be written: it is another's all the same.
        shop.putCustomer("42", 6);

        assertThatExceptionOfType(ItemLockLostException.class)
                .isThrownBy(() -> replaced.updateAndRelease(Customer.of("42", 6)))
                .satisfies(e -> assertThat(e.mayHaveWritten()).isFalse());
        assertThat(replaced.isValid()).isFalse();

        LockedItem<Customer> deleted = customers.lockAndRead(KEY, LEASE).orElseThrow();
        shop.client().deleteItem(delete -> delete.tableName(shop.name).key(deleted.key()));

        thrown(ItemLockLostException.class, () -> deleted.updateAndRelease(Customer.of("42", 7)));
        assertThat(shop.item("42")).isEmpty();
    }

    @Test
    void attributesThatBecomeNullAreRemovedAndNullOnesStayAbsent() {
        shop.put(Map.of(
                "id", AttributeValue.fromS("42"),
                "total", Shop.number(5),
                "name", AttributeValue.fromS("Ada"),
                "notes", AttributeValue.fromNul(true)));
        LockedItem<Customer> locked = customers.lockAndRead(KEY, LEASE).orElseThrow();

        Customer customer = locked.item();
        customer.setName(null);
        locked.updateAndRelease(customer);

        assertThat(shop.item("42"))
                .isEqualTo(Map.of(
                        "id", AttributeValue.fromS("42"),
                        "total", Shop.number(5),
                        "notes", AttributeValue.fromNul(true)));
    }

    @Test
    void nestedObjectsAndCollectionsAreReadAndWritten() {
        shop.putCustomer("42", 5);
        Customer.Address address = new Customer.Address();
        address.setCity("London");
        LockedItem<Customer> first = customers.lockAndRead(KEY, LEASE).orElseThrow();
        Customer customer = first.item();
        customer.setAddress(address);
        customer.setNotes(List.of("a", "b"));
        customer.setScores(Set.of(1, 2));
        first.updateAndRelease(customer);

        LockedItem<Customer> second = customers.lockAndRead(KEY, LEASE).orElseThrow();
        Customer read = second.item();
        assertThat(read.getAddress().getCity()).isEqualTo("London");
        assertThat(read.getNotes()).containsExactly("a", "b");
        assertThat(read.getScores()).containsExactlyInAnyOrder(1, 2);
        read.getAddress().setStreet("Mall");
        read.setNotes(List.of("a"));
        Customer written = second.updateAndRelease(read);

        assertThat(written.getAddress().getStreet()).isEqualTo("Mall");
        assertThat(written.getAddress().getCity()).isEqualTo("London");
        assertThat(written.getNotes()).containsExactly("a");
        assertThat(written.getScores()).containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void anObjectWithAnotherKeyIsRefusedAndTheLockIsStillHeld() {
        LockedItem<Customer> locked = lockedCustomer();

        refused(() -> locked.updateAndRelease(Customer.of("43", 6)), "43", "42");

        assertThat(locked.updateAndRelease(Customer.of("42", 6)).getTotal()).isEqualTo(6);
        assertThat(shop.item("43")).isEmpty();
    }

    @Test
    void aReleasedItemCannotBeUsedAnyMore() {
        LockedItem<Customer> locked = lockedCustomer();
        locked.updateAndRelease(Customer.of("42", 6));

        assertThat(locked.isValid()).isFalse();
        assertThat(locked.remaining()).isZero();
        assertThat(locked.release()).isFalse();
        assertThatIllegalStateException().isThrownBy(() -> locked.updateAndRelease(Customer.of("42", 7)));
        assertThatIllegalStateException().isThrownBy(() -> locked.extend(LEASE));
        assertThat(shop.calls()).hasSize(2);
    }

    @Test
    void anAbsentItemIsRefusedUnlessTheTableIsBuiltForIt() {
        thrown(ItemNotFoundException.class, () -> customers.lockAndRead(KEY, LEASE), "lockAbsentItems", "42");
        assertThat(shop.item("42")).isEmpty();
        assertThat(shop.calls()).hasSize(1);
    }

    @Test
    void anAbsentItemIsLockedWrittenAndUnlockedInTwoCalls() {
        LockedItem<Customer> locked = creating.lockAndRead(KEY, LEASE).orElseThrow();
        assertThat(locked.isNew()).isTrue();
        assertThatIllegalStateException().isThrownBy(locked::item).withMessageContaining("isNew");
        assertThat(creating.lockAndRead(KEY, LEASE)).isEmpty();
        locked.updateAndRelease(Customer.of("42", 1));

        assertThat(shop.calls()).hasSize(3);
        assertThat(shop.item("42")).isEqualTo(Shop.customer("42", 1));
        LockedItem<Customer> again = creating.lockAndRead(KEY, LEASE).orElseThrow();
        assertThat(again.isNew()).isFalse();
        assertThat(again.item().getTotal()).isEqualTo(1);
        again.release();
        assertThat(shop.item("42")).containsOnlyKeys("id", "total");
    }

    @Test
    void anAbsentItemThatIsReleasedLeavesNoTrace() {
        assertThat(creating.lockAndRead(KEY, LEASE).orElseThrow().release()).isTrue();

        assertThat(shop.item("42")).isEmpty();
        assertThat(shop.calls()).containsExactly("UpdateItem", "DeleteItem");
    }

    @Test
    void aNewItemThatAnotherProgramWroteMeanwhileIsUnlockedAndNotDeleted() {
        LockedItem<Customer> locked = creating.lockAndRead(KEY, LEASE).orElseThrow();
        shop.set("42", "total", Shop.number(9));

        assertThat(locked.release()).isTrue();

        assertThat(shop.item("42")).isEqualTo(Shop.customer("42", 9));
    }

    @Test
    void anItemWithNothingButItsKeyIsNotDeletedByARelease() {
        shop.put(Map.of("id", AttributeValue.fromS("42")));
        LockedItem<Customer> locked = creating.lockAndRead(KEY, LEASE).orElseThrow();

        assertThat(locked.isNew()).isTrue();
        assertThat(locked.release()).isTrue();

        assertThat(shop.item("42")).containsOnlyKeys("id");
        assertThat(customers.lockAndRead(KEY, LEASE).orElseThrow().item().getId())
                .isEqualTo("42");
    }

    @Test
    void theAttributesOfTheLockMayBeRenamed() {
        shop.putCustomer("42", 5);
        shop.tellsTime(Instant::now);
        LockingTable<Customer> named = shop.customers("me")
                .tokenAttribute("select")
                .ownerAttribute("a b.c#d:e[0]")
                .untilAttribute("ttl")
                .leaseAttribute("\u00fc-ber")
                .build();

        LockedItem<Customer> locked = named.lockAndRead(KEY, LEASE).orElseThrow();
        assertThat(shop.item("42")).containsOnlyKeys("id", "total", "select", "a b.c#d:e[0]", "ttl", "\u00fc-ber");
        locked.extend(LEASE);
        assertThat(named.lockAndRead(KEY, LEASE)).isEmpty();
        locked.updateAndRelease(Customer.of("42", 6));

        assertThat(shop.item("42")).containsOnlyKeys("id", "total");
    }

    @ParameterizedTest
    @ValueSource(strings = {"lockToken", "lockedBy", "lockedUntil", "lockLease"})
    void dataInALockAttributeIsNeitherTakenForALockNorOverwritten(String attribute) {
        Map<String, AttributeValue> item = Map.of("id", AttributeValue.fromS("42"), attribute, Shop.number(1));
        shop.put(item);

        thrown(IllegalStateException.class, () -> customers.lockAndRead(KEY, LEASE), attribute, "other names");

        assertThat(shop.item("42")).isEqualTo(item);
    }

    @Test
    void aTokenOfMoreThan256CharactersIsDataAndNotRemembered() {
        shop.put(Map.of(
                "id", AttributeValue.fromS("42"),
                "lockToken", AttributeValue.fromS("x".repeat(257)),
                "lockedUntil", Shop.number(1),
                "lockLease", Shop.number(1_000)));

        thrown(IllegalStateException.class, () -> customers.lockAndRead(KEY, LEASE), "not a lock");

        shop.set("42", "lockToken", AttributeValue.fromS("x".repeat(256)));
        assertThat(customers.lockAndRead(KEY, LEASE)).isEmpty();
    }

    @Test
    void badInputIsRefusedBeforeAnyCall() {
        LockingTableBuilder<Customer, LockingTable<Customer>> builder = shop.customers("me");
        refused(() -> customers.lockAndRead(KEY, Duration.ZERO), "PT0S");
        assertThatIllegalArgumentException().isThrownBy(() -> customers.lockAndRead(KEY, Duration.ofDays(2)));
        refused(() -> customers.lockAndRead(KEY, LEASE, Duration.ofSeconds(-1)), "PT-1S");
        refused(() -> customers.lockAndRead(Key.builder().partitionValue(42).build(), LEASE), "id", "type S");
        refused(
                () -> customers.lockAndRead(
                        Key.builder().partitionValue("42").sortValue("x").build(), LEASE),
                "no sort key");
        refused(() -> builder.tokenAttribute("id").build(), "id");
        refused(() -> builder.tokenAttribute("lockedBy").build());
        refused(() -> builder.tokenAttribute("t").owner("").build());
        refused(() -> builder.pollInterval(Duration.ofSeconds(2), Duration.ofSeconds(1)));
        assertThat(shop.calls()).isEmpty();
    }

    @Test
    void aFailureOfDynamoDbIsTheSdksOwn() {
        shop.client().deleteTable(delete -> delete.tableName(shop.name));

        assertThatExceptionOfType(ResourceNotFoundException.class).isThrownBy(() -> customers.lockAndRead(KEY, LEASE));
    }
}
