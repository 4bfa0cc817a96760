package io.dynamolock.internal.fences;

import static io.dynamolock.internal.testing.Thrown.refused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.dynamolock.LockHandle;
import io.dynamolock.LockLostException;
import io.dynamolock.StandIn;
import io.dynamolock.internal.handles.GrantHandle;
import io.dynamolock.internal.handles.UnawaitedReleases;
import io.dynamolock.internal.protocol.LockKey;
import io.dynamolock.internal.store.dynamodb.BlockingClient;
import io.dynamolock.internal.testing.FakeGrant;
import io.dynamolock.internal.threads.ObservedCaller;
import io.dynamolock.internal.threads.RegistryThreads;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** What is sent, what is repeated, and what a refusal means: by a client whose every answer the test gives. */
@ParameterizedClass(name = "by a client that blocks: {0}")
@ValueSource(booleans = {true, false})
class FencedWritesTest {

    private static final ConditionCheck CHECK =
            ConditionCheck.builder().tableName("locks").build();

    private final FakeGrant grant = new FakeGrant(new LockKey("k", "n"), 7);
    private final LockHandle handle = new GrantHandle(
            grant,
            new RegistryThreads(null, task -> task).ofUsers(),
            (key, entry) -> this.check,
            new UnawaitedReleases(8),
            ObservedCaller.UNOBSERVED);
    private final DynamoDbClient client =
            StandIn.of(DynamoDbClient.class, (method, arguments) -> answer((TransactWriteItemsRequest) arguments[0]));
    private final DynamoDbAsyncClient asyncClient = StandIn.of(
            DynamoDbAsyncClient.class, (method, arguments) -> answerAsync((TransactWriteItemsRequest) arguments[0]));
    private final Queue<Supplier<TransactWriteItemsResponse>> answers = new ArrayDeque<>();
    private final List<TransactWriteItemsRequest> sent = new ArrayList<>();
    private final List<Duration> pauses = new ArrayList<>();
    private ConditionCheck check = CHECK;
    private double random = 0.5;
    private boolean grantLostOnTheWay;
    private Runnable duringPause = () -> {};

    /** Both kinds of helper keep the same promises. */
    @Parameter
    private boolean isBlocking;

    private TransactWriteItemsResponse transact(TransactWriteItemsRequest request) {
        if (isBlocking) {
            return new FencedCalls(new BlockingClient(client), this::pause, () -> random).transact(handle, request);
        }
        try {
            return new FencedCalls(asyncClient, this::pause, () -> random)
                    .transactAsync(handle, request)
                    .join();
        } catch (CompletionException e) {
            throw (RuntimeException) e.getCause();
        }
    }

    @Test
    void theCheckOfTheLockComesAfterTheItems() {
        TransactWriteItemsResponse response = succeeds();

        assertThat(transact(items(3))).isSameAs(response);
        assertThat(sent).hasSize(1);
        assertThat(sent.get(0).transactItems()).hasSize(4);
        assertThat(sent.get(0).transactItems().subList(0, 3)).isEqualTo(items(3).transactItems());
        assertThat(sent.get(0).transactItems().get(3).conditionCheck()).isEqualTo(CHECK);
    }

    @Test
    void aCheckThatIsRefusedInEveryAttemptIsALoss() {
        TransactionCanceledException refusal = null;
        for (int i = 0; i < FencedTransaction.MOST_ATTEMPTS; i++) {
            refusal = isRefused("ConditionalCheckFailed", "None", "ConditionalCheckFailed");
        }

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> transact(items(2)))
                .withMessageContainingAll("\"k\"", "\"n\"", "7", "nothing is written")
                .withCause(refusal);
        assertThat(sent).hasSize(FencedTransaction.MOST_ATTEMPTS);
    }

    @Test
    void aRefusedOldCheckIsReplacedByANewOne() {
        isRefused("None", "ConditionalCheckFailed");
        duringPause =
                () -> check = ConditionCheck.builder().tableName("new entry").build();
        TransactWriteItemsResponse response = succeeds();

        assertThat(transact(items(1))).isSameAs(response);

        assertThat(sent.get(1).transactItems().get(1).conditionCheck()).isEqualTo(check);
    }

    @Test
    void aCheckThatStaysOldForManyAttemptsIsNoLoss() {
        for (int i = 0; i < 20; i++) {
            isRefused("None", "ConditionalCheckFailed");
        }
        duringPause = () -> check = ConditionCheck.builder()
                .tableName(pauses.size() == 20 ? "new entry" : "locks")
                .build();
        TransactWriteItemsResponse response = succeeds();

        assertThat(transact(items(1))).isSameAs(response);
    }

    @Test
    void aRefusalAfterTheLossIsNotRepeated() {
        isRefused("None", "ConditionalCheckFailed");
        duringPause = () -> {
            throw new AssertionError("a pause");
        };
        grantLostOnTheWay = true;

        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> transact(items(1)));
    }

    @Test
    void conflictsOnTheLocksItemAreRepeatedWithPausesThatGrowUpToABound() {
        for (int i = 0; i < 10; i++) {
            isRefused("None", "TransactionConflict");
        }
        TransactWriteItemsResponse response = succeeds();

        assertThat(transact(items(1))).isSameAs(response);
        assertThat(sent).hasSize(11);
        assertThat(pauses)
                .startsWith(millis(7.5), millis(15), millis(30), millis(60), millis(120))
                .endsWith(millis(120));
    }

    @Test
    void conflictsOnAnotherItemTooAreRepeatedAsLongAsTheLocksItemIsInConflict() {
        isRefused("TransactionConflict", "TransactionConflict");
        TransactionCanceledException last = isRefused("TransactionConflict", "None");

        assertThatExceptionOfType(TransactionCanceledException.class)
                .isThrownBy(() -> transact(items(1)))
                .isSameAs(last);
        assertThat(sent).hasSize(2);
    }

    @Test
    void refusalsForOtherReasonsAreThrownAsTheyAre() {
        for (List<String> reasons : List.of(
                List.of("ConditionalCheckFailed", "None"),
                List.of("ConditionalCheckFailed", "TransactionConflict"),
                List.of("ThrottlingError", "TransactionConflict"),
                List.of("TransactionConflict", "None"),
                List.of("ItemCollectionSizeLimitExceeded", "None"),
                List.<String>of())) {
            TransactionCanceledException refusal = isRefused(reasons.toArray(String[]::new));
            sent.clear();

            assertThatExceptionOfType(TransactionCanceledException.class)
                    .isThrownBy(() -> transact(items(1)))
                    .isSameAs(refusal);
            assertThat(sent).as(reasons.toString()).hasSize(1);
        }
    }

    @Test
    void otherFailuresAreThrownAsTheyAre() {
        SdkException timeout = ApiCallTimeoutException.create(5);
        answers.add(() -> {
            throw timeout;
        });

        assertThatExceptionOfType(ApiCallTimeoutException.class)
                .isThrownBy(() -> transact(items(1)))
                .isSameAs(timeout);
    }

    @Test
    void nothingIsSentAgainAfterALossDuringAPause() {
        isRefused("None", "TransactionConflict");
        duringPause = grant::lose;

        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> transact(items(1)));
        assertThat(sent).hasSize(1);
    }

    @Test
    void nothingIsSentForAnInvalidHandle() {
        handle.close();

        assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> transact(items(1)));
        assertThat(sent).isEmpty();
    }

    @Test
    void attemptsAreBounded() {
        for (int i = 0; i < 100; i++) {
            isRefused("None", "TransactionConflict");
        }

        assertThatExceptionOfType(TransactionCanceledException.class).isThrownBy(() -> transact(items(1)));
        assertThat(sent).hasSize(50);
    }

    @Test
    void theHundredthItemIsRefusedBeforeAnyCall() {
        succeeds();
        transact(items(99));
        assertThat(sent.get(0).transactItems()).hasSize(100);

        refused(() -> transact(items(100)), "99", "100", "check of the lock");
        refused(() -> transact(items(0)), "at least one item");
        assertThat(sent).hasSize(1);
    }

    @Test
    void theTokenOfARequestGoesWithEveryAttempt() {
        isRefused("None", "TransactionConflict");
        succeeds();

        transact(items(1).toBuilder().clientRequestToken("once").build());

        assertThat(sent)
                .extracting(TransactWriteItemsRequest::clientRequestToken)
                .containsExactly("once", "once");
    }

    @Test
    void jitterTakesAwayAtMostHalfOfAPause() {
        for (double next : new double[] {0, 1}) {
            random = next;
            isRefused("None", "TransactionConflict");
            succeeds();
            transact(items(1));
        }

        assertThat(pauses).containsExactly(millis(10), millis(5));
    }

    @Test
    void anInterruptDuringAPauseEndsTheRepetitionsAndIsKept() {
        TransactionCanceledException refusal = isRefused("None", "TransactionConflict");
        FencedCalls writes = new FencedCalls(new BlockingClient(client), pause -> new CompletableFuture<>(), () -> 0);

        Thread.currentThread().interrupt();
        assertThatExceptionOfType(TransactionCanceledException.class)
                .isThrownBy(() -> writes.transact(handle, items(1)))
                .isSameAs(refusal);
        assertThat(Thread.interrupted()).isTrue();
    }

    private static TransactWriteItemsRequest items(int count) {
        TransactWriteItem item =
                TransactWriteItem.builder().put(put -> put.tableName("orders")).build();
        return TransactWriteItemsRequest.builder()
                .transactItems(Collections.nCopies(count, item))
                .build();
    }

    private static Duration millis(double millis) {
        return Duration.ofNanos((long) (millis * 1_000_000));
    }

    private CompletableFuture<Void> pause(Duration pause) {
        pauses.add(pause);
        duringPause.run();
        return CompletableFuture.completedFuture(null);
    }

    private TransactWriteItemsResponse succeeds() {
        TransactWriteItemsResponse response =
                TransactWriteItemsResponse.builder().build();
        answers.add(() -> response);
        return response;
    }

    private TransactionCanceledException isRefused(String... reasons) {
        TransactionCanceledException refusal = TransactionCanceledException.builder()
                .cancellationReasons(Arrays.stream(reasons)
                        .map(code -> CancellationReason.builder().code(code).build())
                        .toList())
                .build();
        answers.add(() -> {
            throw refusal;
        });
        return refusal;
    }

    private TransactWriteItemsResponse answer(TransactWriteItemsRequest request) {
        sent.add(request);
        if (grantLostOnTheWay) {
            grant.lose();
        }
        return answers.remove().get();
    }

    private CompletableFuture<TransactWriteItemsResponse> answerAsync(TransactWriteItemsRequest request) {
        try {
            return CompletableFuture.completedFuture(answer(request));
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }
}
