package io.dynamolock.lockingread;

import static io.dynamolock.internal.testing.Thrown.thrown;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.internal.engine.VirtualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** Items that a dead process left locked, visited in turn by a caller that never waits, a millisecond each. */
class SweepTest {

    private static final Duration LEASE = Duration.ofSeconds(1);
    private static final Duration VISIT = Duration.ofMillis(1);

    private final VirtualTime clock = Shop.clock(Duration.ZERO);
    private final LockingTable<Customer> table = table().build();

    private Duration leaseOfTheDead = LEASE;
    private Instant endOfTheDead = clock.now();

    /** What answers tell; {@code null} if they tell nothing. */
    private @Nullable Instant storeTime;

    private LockingTableBuilder<Customer, LockingTable<Customer>> table() {
        DynamoDbClient client = new AllLocked();
        return LockingTable.builder(
                        client,
                        DynamoDbEnhancedClient.builder()
                                .dynamoDbClient(client)
                                .build()
                                .table("items", Shop.CUSTOMER))
                .on(clock, Shop.delayer(clock));
    }

    private long takenOver(int items) {
        return IntStream.range(0, items).filter(this::isTakenOver).count();
    }

    private boolean isTakenOver(int item) {
        clock.advance(VISIT);
        return table.lockAndRead(key(item), LEASE).isPresent();
    }

    private static Key key(int item) {
        return Shop.key(Integer.toString(item));
    }

    @ParameterizedTest
    @ValueSource(ints = {1_100, 20_000})
    void aCallerThatNeverWaitsTakesOverDeadLocksInItsSecondRound(int items) {
        assertThat(takenOver(items)).isZero();
        assertThat(takenOver(items)).isEqualTo(items);
    }

    @Test
    void theExceptionTellsThatMoreLocksWereSeenThanAreRememberedIfThatMatters() {
        takenOver(Observations.MOST - 1);
        assertThatExceptionOfType(ItemLockedException.class)
                .isThrownBy(() -> table.lockAndRead(key(-1), LEASE, Duration.ZERO))
                .withMessageNotContaining("remembers");

        thrown(
                ItemLockedException.class,
                () -> table.lockAndRead(key(-2), LEASE, Duration.ZERO),
                "remembers the 100000 locked items that it asked for last",
                "without waiting takes none of them over");

        assertThatExceptionOfType(ItemLockedException.class)
                .as("one that is remembered drives out no other")
                .isThrownBy(() -> table.lockAndRead(key(-2), LEASE, Duration.ZERO))
                .withMessageNotContaining("remembers");
        assertThat(isTakenOver(0)).as("forgotten for that one").isFalse();
        assertThat(isTakenOver(2)).isTrue();

        storeTime = clock.now();
        endOfTheDead = clock.now().plusSeconds(10);
        assertThat(isTakenOver(-5))
                .as("fills the room of the lock that was taken over")
                .isFalse();
        assertThatExceptionOfType(ItemLockedException.class)
                .isThrownBy(() -> table.lockAndRead(key(-3), LEASE, Duration.ZERO))
                .withMessageContaining("for another PT1.083S at most")
                .withMessageNotContaining("remembers");

        endOfTheDead = clock.now().plusSeconds(100);
        assertThatExceptionOfType(ItemLockedException.class)
                .as("of a process whose clock is ahead")
                .isThrownBy(() -> table.lockAndRead(key(-4), LEASE, Duration.ZERO))
                .withMessageContaining("remembers");
    }

    @Test
    void aWaitOfFiftyThousandTriesNeedsNoMoreStackThanOneTry() {
        leaseOfTheDead = Duration.ofMinutes(1);
        LockingTable<Customer> patient = table().pollInterval(VISIT, VISIT).build();

        assertThatExceptionOfType(ItemLockedException.class)
                .isThrownBy(() -> patient.lockAndRead(key(1), LEASE, VISIT.multipliedBy(50_000)))
                .satisfies(e -> assertThat(e.waited()).isEqualTo(VISIT.multipliedBy(50_000)));
    }

    /** A table in which each item is locked, and only its own lock may be taken over. */
    private final class AllLocked implements DynamoDbClient {

        @Override
        public UpdateItemResponse updateItem(UpdateItemRequest request) {
            AttributeValue token = AttributeValue.fromS(
                    "0123456789abcdef0123456" + request.key().get("id").s());
            if (request.expressionAttributeValues().containsValue(token)) {
                return UpdateItemResponse.builder().attributes(request.key()).build();
            }
            throw ConditionalCheckFailedException.builder()
                    .item(Map.of(
                            "lockToken", token,
                            "lockedBy", AttributeValue.fromS("a dead process"),
                            "lockedUntil", LockAttributes.millis(endOfTheDead),
                            "lockLease", Shop.number(leaseOfTheDead.toMillis())))
                    .awsErrorDetails(
                            AwsErrorDetails.builder().sdkHttpResponse(answer()).build())
                    .build();
        }

        private SdkHttpResponse answer() {
            SdkHttpResponse.Builder answer = SdkHttpResponse.builder().statusCode(400);
            if (storeTime != null) {
                answer.putHeader(
                        "Date", DateTimeFormatter.RFC_1123_DATE_TIME.format(storeTime.atOffset(ZoneOffset.UTC)));
            }
            return answer.build();
        }

        @Override
        public String serviceName() {
            return "dynamodb";
        }

        @Override
        public void close() {}
    }
}
