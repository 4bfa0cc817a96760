package io.dynamolock.internal.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.store.StoreFailure.Throttling;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThrottlingReasonsTest {

    @ParameterizedTest
    @CsvSource({
        "TableReadKeyRangeThroughputExceeded, KEY_RANGE",
        "TableWriteKeyRangeThroughputExceeded, KEY_RANGE",
        "IndexReadKeyRangeThroughputExceeded, INDEX",
        "IndexWriteKeyRangeThroughputExceeded, INDEX",
        "TableReadProvisionedThroughputExceeded, TABLE_CAPACITY",
        "TableWriteProvisionedThroughputExceeded, TABLE_CAPACITY",
        "IndexReadProvisionedThroughputExceeded, INDEX",
        "IndexWriteProvisionedThroughputExceeded, INDEX",
        "TableReadMaxOnDemandThroughputExceeded, TABLE_MAXIMUM",
        "TableWriteMaxOnDemandThroughputExceeded, TABLE_MAXIMUM",
        "IndexReadMaxOnDemandThroughputExceeded, INDEX",
        "IndexWriteMaxOnDemandThroughputExceeded, INDEX",
        "TableReadAccountLimitExceeded, ACCOUNT",
        "TableWriteAccountLimitExceeded, ACCOUNT",
        "IndexReadAccountLimitExceeded, ACCOUNT",
        "IndexWriteAccountLimitExceeded, ACCOUNT",
        "'', UNKNOWN"
    })
    void eachReasonOfDynamoDbHasItsMeaning(String reason, Throttling meaning) {
        assertThat(ThrottlingReasons.meaning(List.of(reason), "ThrottlingException"))
                .isEqualTo(meaning);
    }

    @ParameterizedTest
    @CsvSource({
        "TableWriteProvisionedThroughputExceeded, TableWriteKeyRangeThroughputExceeded, KEY_RANGE",
        "SomethingNew, TableWriteAccountLimitExceeded, ACCOUNT"
    })
    void ofSeveralReasonsTheNarrowestCounts(String one, String other, Throttling meaning) {
        assertThat(ThrottlingReasons.meaning(List.of(one, other), "ThrottlingException"))
                .isEqualTo(meaning);
    }
}
