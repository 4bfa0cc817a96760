package io.dynamolock.sample.orders;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags;

/** Maps a {@link Customer} to its item. An item with nothing but its key is a customer without orders. */
final class CustomerSchema {

    static final String FENCE = "fencingToken";

    static final TableSchema<Customer> SCHEMA = TableSchema.builder(Customer.class, Mutable.class)
            .newItemBuilder(Mutable::new, Mutable::toCustomer)
            .addAttribute(
                    String.class,
                    a -> a.name("customerId")
                            .getter(Customer::customerId)
                            .setter((customer, id) -> customer.customerId = id)
                            .tags(StaticAttributeTags.primaryPartitionKey()))
            .addAttribute(
                    Long.class,
                    a -> a.name("orders")
                            .getter(Customer::orders)
                            .setter((customer, orders) -> customer.orders = orders))
            .addAttribute(
                    BigDecimal.class,
                    a -> a.name("total").getter(Customer::total).setter((customer, total) -> customer.total = total))
            .addAttribute(
                    Long.class,
                    a -> a.name(FENCE)
                            .getter(CustomerSchema::fence)
                            .setter((customer, token) -> customer.fence = token))
            .build();

    private CustomerSchema() {}

    private static @Nullable Long fence(Customer customer) {
        return customer.fencingToken() == 0 ? null : customer.fencingToken();
    }

    /** A mutable customer: the enhanced client can build immutable records only through a builder. */
    private static final class Mutable {

        private String customerId = "";
        private long orders;
        private BigDecimal total = BigDecimal.ZERO;
        private long fence;

        Customer toCustomer() {
            return new Customer(customerId, orders, total, fence);
        }
    }
}
