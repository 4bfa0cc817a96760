package io.dynamolock.spring.internal.transactions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.aspect.AspectContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The lock lies outside the transaction, with Boot's own transaction manager on a real database. */
public class TransactionOrderTest {

    @AutoClose
    private final AspectContext context = AspectContext.withTransactions(Map.of(), Database.class, Accounts.class);

    static class Accounts {

        private final JdbcTemplate jdbc;

        Accounts(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Transactional
        @DynamoLocked(key = "#id")
        public void open(String id, List<String> events) {
            TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                @Override
                public void afterCompletion(int status) {
                    events.add(status == STATUS_COMMITTED ? "committed" : "rolled back");
                }
            });
            jdbc.update("insert into account (id) values (?)", id);
            if (id.equals("bad")) {
                throw new IllegalStateException("bad account");
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Database {

        @Bean
        JdbcTemplate jdbcTemplate(DataSource dataSource) {
            JdbcTemplate jdbc = new JdbcTemplate(dataSource);
            jdbc.execute("create table account (id varchar(20) primary key)");
            return jdbc;
        }
    }

    /** What the database shows to others at the moment of the release. */
    private static List<String> observe(AspectContext context) {
        List<String> events = new ArrayList<>();
        context.locks.onRelease = () -> events.add("released, with " + count(context) + " visible, in a transaction: "
                + TransactionSynchronizationManager.isActualTransactionActive());
        return events;
    }

    /** How many accounts another connection sees at the moment of each release. */
    static List<Integer> seenByOthersAtRelease(AspectContext context) {
        List<Integer> seen = new ArrayList<>();
        context.locks.onRelease = () ->
                seen.add(CompletableFuture.supplyAsync(() -> count(context)).join());
        return seen;
    }

    static int count(AspectContext context) {
        return context.bean(JdbcTemplate.class).queryForObject("select count(*) from account", Integer.class);
    }

    @Test
    void theCommitComesBeforeTheRelease() {
        List<String> events = observe(context);
        context.bean(Accounts.class).open("a", events);
        assertThat(events).containsExactly("committed", "released, with 1 visible, in a transaction: false");
    }

    @Test
    void theRollbackComesBeforeTheRelease() {
        List<String> events = observe(context);
        assertThatIllegalStateException()
                .isThrownBy(() -> context.bean(Accounts.class).open("bad", events));
        assertThat(events).containsExactly("rolled back", "released, with 0 visible, in a transaction: false");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 0, proxyTargetClass = true)
    static class TransactionsOutside {}

    private static AspectContext withTransactionsAtZero(Map<String, Object> properties) {
        return AspectContext.withTransactions(properties, TransactionsOutside.class, Database.class, Accounts.class);
    }

    private static List<String> events(int order) {
        try (AspectContext atZero = withTransactionsAtZero(
                Map.of("dynamolock.aspect.release", "method-end", "dynamolock.aspect.order", order))) {
            List<String> events = observe(atZero);
            atZero.bean(Accounts.class).open("a", events);
            return events;
        }
    }

    /** Shows that the tests above can fail. */
    @Test
    void theOrderIsAProperty() {
        assertThat(events(1)).containsExactly("released, with 1 visible, in a transaction: true", "committed");
        assertThat(events(-1)).containsExactly("committed", "released, with 1 visible, in a transaction: false");
    }

    @Test
    void theCommitComesBeforeTheReleaseAlsoIfTransactionsLieFurtherOut() {
        try (AspectContext atZero = withTransactionsAtZero(Map.of("dynamolock.aspect.order", 1))) {
            List<Integer> seen = seenByOthersAtRelease(atZero);
            atZero.bean(Accounts.class).open("a", new ArrayList<>());
            assertThat(seen).containsExactly(1);
        }
    }
}
