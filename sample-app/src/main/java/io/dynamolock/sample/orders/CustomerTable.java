package io.dynamolock.sample.orders;

import io.dynamolock.sample.SampleProperties;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Repository;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/**
 * The customers in DynamoDB. Reads and writes are separate calls, and a plain write overwrites whatever is there: that
 * is what the lock is for.
 */
@Repository
public class CustomerTable implements InitializingBean {

    private static final String ID = "customerId";
    private static final String ORDERS = "orders";
    private static final String TOTAL = "total";
    private static final String FENCE = "fencingToken";

    private final DynamoDbClient client;
    private final DynamoDbTable<EnhancedDocument> table;

    /** @param client that of the locks, so that the customers are in the same DynamoDB; a real service has its own */
    CustomerTable(@Qualifier("dynamoLockDynamoDbClient") DynamoDbClient client, SampleProperties properties) {
        this.client = client;
        this.table = DynamoDbEnhancedClient.builder()
                .dynamoDbClient(client)
                .build()
                .table(
                        properties.customerTable(),
                        TableSchema.documentSchemaBuilder()
                                .addIndexPartitionKey(TableMetadata.primaryIndexName(), ID, AttributeValueType.S)
                                .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
                                .build());
    }

    @Override
    public void afterPropertiesSet() {
        try {
            table.createTable();
        } catch (ResourceInUseException itExists) {
            // Made by an earlier start, or at this moment by another instance: either way it is there to be waited for.
        }
        try (DynamoDbWaiter waiter = client.waiter()) {
            waiter.waitUntilTableExists(request -> request.tableName(table.tableName()));
        }
    }

    /** The customer as of now; one without orders is one that nobody has written. */
    public Customer read(String customerId) {
        EnhancedDocument item = table.getItem(
                get -> get.key(Key.builder().partitionValue(customerId).build()).consistentRead(true));
        return item == null
                ? Customer.withoutOrders(customerId)
                : new Customer(
                        customerId,
                        item.getNumber(ORDERS).longValue(),
                        item.getNumber(TOTAL).bigDecimalValue(),
                        item.isPresent(FENCE) ? item.getNumber(FENCE).longValue() : 0);
    }

    /** Writes orders and total, whatever is there. */
    void write(Customer customer) {
        table.updateItem(toItem(customer).build());
    }

    /**
     * Writes orders and total, unless somebody with a later turn has written before.
     *
     * @throws StaleWriteException if so; nothing is written
     */
    void writeFenced(Customer customer) {
        EnhancedDocument item =
                toItem(customer).putNumber(FENCE, customer.fencingToken()).build();
        Expression noLaterTurn = Expression.builder()
                .expression("attribute_not_exists(#fence) OR #fence <= :token")
                .putExpressionName("#fence", FENCE)
                .putExpressionValue(":token", AttributeValue.fromN(Long.toString(customer.fencingToken())))
                .build();
        try {
            table.updateItem(update -> update.item(item).conditionExpression(noLaterTurn));
        } catch (ConditionalCheckFailedException laterTurn) {
            throw new StaleWriteException(customer.customerId(), customer.fencingToken(), laterTurn);
        }
    }

    private static EnhancedDocument.Builder toItem(Customer customer) {
        return EnhancedDocument.builder()
                .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
                .putString(ID, customer.customerId())
                .putNumber(ORDERS, customer.orders())
                .putNumber(TOTAL, customer.total());
    }
}
