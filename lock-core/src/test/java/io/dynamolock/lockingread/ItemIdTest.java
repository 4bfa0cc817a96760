package io.dynamolock.lockingread;

import static io.dynamolock.internal.testing.Thrown.refused;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticTableMetadata;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

class ItemIdTest {

    private static final TableMetadata NUMBER_AND_BYTES = StaticTableMetadata.builder()
            .addIndexPartitionKey(TableMetadata.primaryIndexName(), "id", AttributeValueType.N)
            .addIndexSortKey(TableMetadata.primaryIndexName(), "sk", AttributeValueType.B)
            .build();

    private static ItemId item(String number, int... bytes) {
        byte[] sort = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            sort[i] = (byte) bytes[i];
        }
        return ItemId.of(
                "t",
                NUMBER_AND_BYTES,
                Key.builder()
                        .partitionValue(AttributeValue.fromN(number))
                        .sortValue(SdkBytes.fromByteArray(sort))
                        .build());
    }

    @Test
    void keysWithTheSameNumberAreEqualInAnySpelling() {
        assertThat(item("100.0", 1)).isEqualTo(item("1E2", 1)).hasSameHashCodeAs(item("100", 1));
        assertThat(item("0.00", 1)).isEqualTo(item("-0", 1));
        assertThat(item("1", 1)).isNotEqualTo(item("1", 2));
    }

    @Test
    void theOrderIsByPartitionKeyAndThenBySortKey() {
        List<ItemId> inOrder =
                List.of(item("-5", 9), item("9", 1), item("10", 1), item("10", 1, 0), item("10", 127), item("10", 128));

        assertThat(Stream.of(5, 3, 1, 0, 2, 4).map(inOrder::get).sorted()).containsExactlyElementsOf(inOrder);
    }

    @Test
    void aKeyWithoutTheSortKeyOfTheTableIsRefused() {
        refused(
                () -> ItemId.of(
                        "t", NUMBER_AND_BYTES, Key.builder().partitionValue(1).build()),
                "\"sk\"");
    }
}
