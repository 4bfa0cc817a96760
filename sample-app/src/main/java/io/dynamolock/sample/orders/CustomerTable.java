package io.dynamolock.sample.orders;

import io.dynamolock.lockingread.LockedItem;
import io.dynamolock.lockingread.LockingTable;
import io.dynamolock.sample.SampleProperties;
import java.time.Duration;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Repository;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.model.IgnoreNullsMode;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ResourceInUseException;
import software.amazon.awssdk.services.dynamodb.waiters.DynamoDbWaiter;

/**
 * The customers in DynamoDB. Reads and writes are separate calls, and a plain write overwrites whatever is there. That
 * is why orders need a lock.
 */
@Repository
public class CustomerTable implements InitializingBean {

    private final DynamoDbClient client;
    private final DynamoDbTable<Customer> table;
    private final LockingTable<Customer> lockingTable;

    /**
     * @param client the client of the locks, so that the customers are in the same DynamoDB; a real service has a
     * client of its own
     */
    CustomerTable(@Qualifier("dynamoLockDynamoDbClient") DynamoDbClient client, SampleProperties properties) {
        this.client = client;
        this.table = DynamoDbEnhancedClient.builder()
                .dynamoDbClient(client)
                .build()
                .table(properties.customerTable(), CustomerSchema.SCHEMA);
        // A customer's first order makes the item.
        this.lockingTable =
                LockingTable.builder(client, table).lockAbsentItems().build();
    }

    @Override
    public void afterPropertiesSet() {
        try {
            table.createTable();
        } catch (ResourceInUseException itExists) {
            // An earlier start has made the table, or another instance is making it now. Either way, wait for it.
        }
        try (DynamoDbWaiter waiter = client.waiter()) {
            waiter.waitUntilTableExists(request -> request.tableName(table.tableName()));
        }
    }

    /** The customer as of now; without orders if there is no item. */
    public Customer read(String customerId) {
        Customer found = table.getItem(get -> get.key(key(customerId)).consistentRead(true));
        return found == null ? Customer.withoutOrders(customerId) : found;
    }

    /**
     * Locks the customer's own item and reads it, in one call.
     *
     * @param lease how long the item stays locked if this process dies
     * @throws io.dynamolock.lockingread.ItemLockedException if another order holds the item during the whole wait
     */
    LockedItem<Customer> lockAndRead(String customerId, Duration lease, Duration wait) {
        return lockingTable.lockAndRead(key(customerId), lease, wait);
    }

    /** Writes orders and total, and overwrites what is there. */
    void write(Customer customer) {
        Customer withoutFence = customer.fencedBy(0);
        table.updateItem(update -> update.item(withoutFence).ignoreNullsMode(IgnoreNullsMode.SCALAR_ONLY));
    }

    /**
     * Writes orders and total, unless a holder with a greater fencing token has written before.
     *
     * @throws StaleWriteException if one has; nothing is written
     */
    void writeFenced(Customer customer) {
        Expression noLaterTurn = Expression.builder()
                .expression("attribute_not_exists(#fence) OR #fence <= :token")
                .putExpressionName("#fence", CustomerSchema.FENCE)
                .putExpressionValue(":token", AttributeValue.fromN(Long.toString(customer.fencingToken())))
                .build();
        try {
            table.updateItem(update -> update.item(customer).conditionExpression(noLaterTurn));
        } catch (ConditionalCheckFailedException laterTurn) {
            throw new StaleWriteException(customer.customerId(), customer.fencingToken(), laterTurn);
        }
    }

    private static Key key(String customerId) {
        return Key.builder().partitionValue(customerId).build();
    }
}
