package io.dynamolock.docs;

import io.dynamolock.LockRegistry;
import io.dynamolock.ReadWriteLocks;
import jakarta.persistence.EntityManager;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What the code on the pages uses and leaves to the reader. Nothing of it ever runs. */
@NullUnmarked
@SuppressWarnings({"HidingField", "SameNameButDifferent"})
abstract class Surroundings {

    LockRegistry locks;
    LockRegistry registry;
    DynamoDbClient client;
    DynamoDbClient dynamoDbClient;
    DynamoDbTable<Customer> customerTable;
    ReadWriteLocks customer;
    OrderService orders;
    Repository repository;
    Shipments shipments;
    Shows shows;
    BoxOffice office;
    EntityManager entities;
    Poller poller;
    Duration wait;
    BigDecimal amount;
    BigDecimal total;
    Key key;

    void print(String line) {}

    void stop() {}

    Order read() {
        return new Order(Map.of());
    }

    void change() {}

    void publish() {}

    void recalculate(int customer) {}

    void callTheReportService() {}

    void writeReport() {}

    String readFeed(String from) {
        return from;
    }

    interface OrderService {
        void ship(String id);
    }

    interface Repository {
        void save(Object value, long fencingToken);
    }

    interface Shipments {
        Mono<Void> save(String id, long fencingToken);
    }

    interface Shows {
        Optional<Show> findById(Long id);
    }

    interface Show {
        int getFree();

        int getSold();

        void sell();
    }

    interface BoxOffice {
        int sell(Long id);
    }

    interface Poller {
        void start(long fencingToken);

        void stop();
    }

    interface Customer {
        BigDecimal getTotal();

        void setTotal(BigDecimal total);
    }

    record Order(Map<String, AttributeValue> item) {}

    record Statement() {}

    static class OrdersApplication {

        public static void main(String[] args) {}
    }

    /** Of Testcontainers' module for JUnit, which the build does without. */
    @interface Testcontainers {}

    /** Of Testcontainers' module for JUnit, too. */
    @interface Container {}
}
