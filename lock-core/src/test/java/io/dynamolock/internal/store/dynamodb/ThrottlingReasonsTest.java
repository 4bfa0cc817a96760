package io.dynamolock.internal.store.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.internal.store.StoreFailure.Throttling;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThrottlingReasonsTest {

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
