package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.dynamolock.FakeLockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.autoconfigure.DynamoLockAspectAutoConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The lock lies outside the transaction, with Boot's own transaction manager on a real database. */
class TransactionOrderTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class,
                    DataSourceAutoConfiguration.class,
                    DataSourceTransactionManagerAutoConfiguration.class,
                    TransactionAutoConfiguration.class,
                    DynamoLockAspectAutoConfiguration.class))
            .withPropertyValues("spring.datasource.generate-unique-name=true")
            .withUserConfiguration(Application.class);

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
    static class Application {

        @Bean
        FakeLockRegistry dynamoLockRegistry() {
            return new FakeLockRegistry();
        }

        @Bean
        JdbcTemplate jdbcTemplate(DataSource dataSource) {
            JdbcTemplate jdbc = new JdbcTemplate(dataSource);
            jdbc.execute("create table account (id varchar(20) primary key)");
            return jdbc;
        }

        @Bean
        Accounts accounts(JdbcTemplate jdbc) {
            return new Accounts(jdbc);
        }
    }

    /** What the database shows to others at the moment of the release. */
    private static List<String> observe(FakeLockRegistry locks, JdbcTemplate jdbc) {
        List<String> events = new ArrayList<>();
        locks.onRelease = () -> events.add("released, with "
                + jdbc.queryForObject("select count(*) from account", Integer.class) + " visible, in a transaction: "
                + TransactionSynchronizationManager.isActualTransactionActive());
        return events;
    }

    /** How many accounts another connection sees at the moment of each release. */
    static List<Integer> seenByOthersAtRelease(ApplicationContext context) {
        JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
        List<Integer> seen = new ArrayList<>();
        context.getBean(FakeLockRegistry.class).onRelease =
                () -> seen.add(CompletableFuture.supplyAsync(() -> count(jdbc)).join());
        return seen;
    }

    static int count(JdbcTemplate jdbc) {
        return jdbc.queryForObject("select count(*) from account", Integer.class);
    }

    @Test
    void theCommitComesBeforeTheRelease() {
        runner.run(context -> {
            List<String> events = observe(context.getBean(FakeLockRegistry.class), context.getBean(JdbcTemplate.class));
            context.getBean(Accounts.class).open("a", events);
            assertThat(events).containsExactly("committed", "released, with 1 visible, in a transaction: false");
        });
    }

    @Test
    void theRollbackComesBeforeTheRelease() {
        runner.run(context -> {
            List<String> events = observe(context.getBean(FakeLockRegistry.class), context.getBean(JdbcTemplate.class));
            assertThatIllegalStateException()
                    .isThrownBy(() -> context.getBean(Accounts.class).open("bad", events));
            assertThat(events).containsExactly("rolled back", "released, with 0 visible, in a transaction: false");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement(order = 0, proxyTargetClass = true)
    static class TransactionsOutside {}

    /** Shows that the tests above can fail. */
    @Test
    void theOrderIsAProperty() {
        ApplicationContextRunner transactionsAtZero = runner.withUserConfiguration(TransactionsOutside.class)
                .withPropertyValues("dynamolock.aspect.release=method-end");
        transactionsAtZero.withPropertyValues("dynamolock.aspect.order=1").run(context -> {
            List<String> events = observe(context.getBean(FakeLockRegistry.class), context.getBean(JdbcTemplate.class));
            context.getBean(Accounts.class).open("a", events);
            assertThat(events).containsExactly("released, with 1 visible, in a transaction: true", "committed");
        });
        transactionsAtZero.withPropertyValues("dynamolock.aspect.order=-1").run(context -> {
            List<String> events = observe(context.getBean(FakeLockRegistry.class), context.getBean(JdbcTemplate.class));
            context.getBean(Accounts.class).open("a", events);
            assertThat(events).containsExactly("committed", "released, with 1 visible, in a transaction: false");
        });
    }

    @Test
    void theCommitComesBeforeTheReleaseAlsoIfTransactionsLieFurtherOut() {
        runner.withUserConfiguration(TransactionsOutside.class)
                .withPropertyValues("dynamolock.aspect.order=1")
                .run(context -> {
                    List<Integer> seen = seenByOthersAtRelease(context);
                    context.getBean(Accounts.class).open("a", new ArrayList<>());
                    assertThat(seen).containsExactly(1);
                });
    }
}
