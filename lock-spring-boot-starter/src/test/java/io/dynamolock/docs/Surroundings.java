package io.dynamolock.docs;

import io.dynamolock.LockException;
import io.dynamolock.LockHandle;
import io.dynamolock.LockRegistry;
import io.dynamolock.ReadWriteLocks;
import io.dynamolock.spring.annotation.DynamoLocked;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.springframework.core.annotation.AliasFor;
import reactor.core.publisher.Mono;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What the code on the pages uses and leaves to the reader. Nothing of it ever runs. */
@NullUnmarked
@SuppressWarnings({"HidingField", "SameNameButDifferent"})
abstract class Surroundings {

    /** Of all code on the pages, in one line, so that lines are counted as on the page. */
    static final String IMPORTS = String.join(
            " ",
            "package io.dynamolock.docs;",
            "import io.dynamolock.*;",
            "import io.dynamolock.lockingread.*;",
            "import io.dynamolock.data.LockData;",
            "import io.dynamolock.spring.annotation.*;",
            "import io.dynamolock.spring.aspect.*;",
            "import io.dynamolock.spring.autoconfigure.*;",
            "import io.dynamolock.spring.integration.*;",
            "import io.dynamolock.spring.metrics.*;",
            "import io.micrometer.core.instrument.MeterRegistry;",
            "import java.lang.annotation.*;",
            "import java.math.BigDecimal;",
            "import java.time.*;",
            "import java.util.*;",
            "import org.jspecify.annotations.Nullable;",
            "import org.springframework.beans.factory.SmartInitializingSingleton;",
            "import org.springframework.beans.factory.annotation.Qualifier;",
            "import org.springframework.boot.test.context.SpringBootTest;",
            "import org.springframework.boot.testcontainers.service.connection.ServiceConnection;",
            "import org.springframework.context.Lifecycle;",
            "import org.springframework.context.annotation.*;",
            "import org.springframework.context.event.EventListener;",
            "import org.springframework.core.annotation.AliasFor;",
            "import org.springframework.core.task.AsyncTaskExecutor;",
            "import org.springframework.integration.aggregator.*;",
            "import org.springframework.integration.annotation.ServiceActivator;",
            "import org.springframework.integration.store.MessageGroupStore;",
            "import org.springframework.scheduling.annotation.Scheduled;",
            "import org.springframework.stereotype.*;",
            "import org.testcontainers.containers.GenericContainer;",
            "import reactor.core.publisher.*;",
            "import software.amazon.awssdk.enhanced.dynamodb.*;",
            "import software.amazon.awssdk.enhanced.dynamodb.mapper.*;",
            "import software.amazon.awssdk.enhanced.dynamodb.model.*;",
            "import software.amazon.awssdk.services.dynamodb.DynamoDbClient;",
            "import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;");

    LockRegistry locks;
    LockRegistry registry;
    DynamoDbClient client;
    DynamoDbClient dynamoDb;
    DynamoDbClient dynamoDbClient;
    Repository repository;
    Poller poller;
    Alarms alarms;
    Duration wait;
    BigDecimal amount;
    BigDecimal total;
    Key key;

    static String of(Path page) {
        return switch (page.getFileName().toString()) {
            case "asynchronous.md" -> "Surroundings.Reactive";
            case "testing.md" -> "Surroundings.Containers";
            case "fenced-writes.md" -> "Surroundings.Tables";
            case "locking-reads.md" -> "Surroundings.LockedTables";
            case "shared-locks.md" -> "Surroundings.Shared";
            default -> "Surroundings.Services";
        };
    }

    void print(String line) {}

    void stop() {}

    interface Repository {
        void save(Object value, long fencingToken);
    }

    interface Poller {
        void start(long fencingToken);

        void stop();
    }

    interface Alarms {
        void raise(String text);
    }

    static class OrderBusyException extends RuntimeException {}

    abstract static class Services extends Surroundings {

        OrderService orders;

        void callTheReportService() {}

        interface OrderService {
            void ship(String id);
        }

        static class Order {}

        @Retention(RetentionPolicy.RUNTIME)
        @DynamoLocked(namespace = "customers")
        @interface CustomerLocked {

            @AliasFor(annotation = DynamoLocked.class, attribute = "key")
            String value();
        }
    }

    abstract static class Tables extends Surroundings {

        io.dynamolock.FencedWrites writes;
        LockHandle lock;
        DynamoDbTable<Order> orders;
        DynamoDbTable<Customer> customers;
        Order order;
        Customer customer;

        Order read() {
            return order;
        }

        record Order(Map<String, AttributeValue> item) {}

        record Customer() {}
    }

    abstract static class LockedTables extends Surroundings {

        DynamoDbTable<Customer> customerTable;

        interface Customer {
            BigDecimal getTotal();

            void setTotal(BigDecimal total);
        }
    }

    abstract static class Shared extends Surroundings {

        ReadWriteLocks customer;

        void change() throws LockException {}

        void publish() {}

        void recalculate(int customer) {}

        record Statement() {}
    }

    /** Of Testcontainers' module for JUnit, which the build does without. */
    abstract static class Containers extends Surroundings {

        @interface Testcontainers {}

        @interface Container {}
    }

    abstract static class Reactive extends Surroundings {

        ReactiveRepository repository;

        interface ReactiveRepository {
            Mono<Void> save(String id, long fencingToken);
        }

        static class Order {}
    }
}
