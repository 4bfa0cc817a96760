package io.dynamolock.lockingread;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.StandIn;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbAsyncTable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.dax.StandInForDaxAsyncClient;
import software.amazon.dax.StandInForDaxClient;

class DaxTest {

    @Test
    @SuppressWarnings("unchecked")
    void aClientOfDaxIsRefusedBeforeTheTableIsLookedAt() {
        DynamoDbTable<Customer> table = StandIn.of(DynamoDbTable.class, (method, arguments) -> {
            throw new AssertionError("called " + method);
        });
        DynamoDbAsyncTable<Customer> asyncTable = StandIn.of(DynamoDbAsyncTable.class, (method, arguments) -> {
            throw new AssertionError("called " + method);
        });

        for (ThrowingCallable building : List.<ThrowingCallable>of(
                () -> LockingTable.builder(new StandInForDaxClient(), table),
                () -> AsyncLockingTable.builder(new StandInForDaxAsyncClient(), asyncTable))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(building)
                    .withMessageContainingAll("a client of DAX", "Give the locks a client of DynamoDB itself");
        }
    }
}
