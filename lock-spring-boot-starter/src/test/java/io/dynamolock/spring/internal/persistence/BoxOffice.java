package io.dynamolock.spring.internal.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockRegistry;
import io.dynamolock.spring.annotation.DynamoLocked;
import io.dynamolock.spring.annotation.PersistenceContextException;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import jakarta.persistence.Version;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.dao.OptimisticLockingFailureException;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.http.HttpStatus;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** An application that sells tickets by JPA under a lock, in the way that anybody writes first, and in better ways. */
final class BoxOffice {

    private BoxOffice() {}

    static ConfigurableApplicationContext start(WebApplicationType type, String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .web(type)
                .properties(
                        "server.port=0",
                        "dynamolock.store=memory",
                        "spring.datasource.generate-unique-name=true",
                        "spring.jpa.show-sql=false")
                .run(Stream.of(properties).map(property -> "--" + property).toArray(String[]::new));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            excludeName =
                    "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration")
    @EnableJpaRepositories(considerNestedRepositories = true)
    @Import({Readers.class, Office.class, Agency.class, Counter.class})
    static class Application {}

    interface Shows extends JpaRepository<Show, Long> {}

    interface VersionedShows extends JpaRepository<VersionedShow, Long> {}

    @Entity
    @Table(name = "shows")
    static class Show {

        @Id
        Long id;

        int sold;

        protected Show() {}

        Show(long id) {
            this.id = id;
        }

        int sell() {
            sold++;
            return sold;
        }
    }

    @Entity
    @Table(name = "versioned_shows")
    static class VersionedShow {

        @Id
        Long id;

        @Version
        Long version;

        int sold;

        protected VersionedShow() {}

        VersionedShow(long id) {
            this.id = id;
        }
    }

    /** Lets the first two requests read before either of them sells, so that a sale is lost if any can be. */
    static class Readers {

        private final CountDownLatch firstTwo = new CountDownLatch(2);

        void haveRead() {
            firstTwo.countDown();
            try {
                assertThat(firstTwo.await(1, TimeUnit.MINUTES)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Service
    static class Office {

        private final Shows shows;
        private final VersionedShows versioned;
        private final EntityManager entities;
        final LockRegistry locks;

        Office(Shows shows, VersionedShows versioned, EntityManager entities, LockRegistry locks) {
            this.shows = shows;
            this.versioned = versioned;
            this.entities = entities;
            this.locks = locks;
        }

        @Transactional
        @DynamoLocked(key = "'show:' + #id")
        public int sell(Long id) {
            return shows.findById(id).orElseThrow().sell();
        }

        @Transactional
        @DynamoLocked(key = "'show:' + #id")
        public int sellRefreshed(Long id) {
            Show show = shows.findById(id).orElseThrow();
            entities.refresh(show);
            return show.sell();
        }

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        @DynamoLocked(key = "'show:' + #id")
        public int sellInNewTransaction(Long id) {
            return shows.findById(id).orElseThrow().sell();
        }

        @Transactional
        @DynamoLocked(key = "'show:' + #id")
        public int sellVersioned(Long id) {
            VersionedShow show = versioned.findById(id).orElseThrow();
            show.sold++;
            return show.sold;
        }

        /** Without {@code @EnableAsync}, it runs on its caller's thread. */
        @Async
        @DynamoLocked(key = "'show:' + #id")
        public CompletableFuture<String> onItsCallersThread(Long id) {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        @DynamoLocked(key = "'show:' + #id")
        public CompletableFuture<String> onAnotherThread(Long id) {
            return CompletableFuture.completedFuture(Thread.currentThread().getName());
        }

        /** Calls a locked method of its own through the proxy that it is given. */
        @Transactional
        @DynamoLocked(key = "'show:' + #id")
        public int sellTwo(Long id, Office proxy) {
            return shows.findById(id).orElseThrow().sell() + proxy.sell(id);
        }
    }

    /** Callers with a transaction that reads first. */
    @Service
    static class Agency {

        private final Shows shows;
        private final Office office;
        private final Readers readers;

        Agency(Shows shows, Office office, Readers readers) {
            this.shows = shows;
            this.office = office;
            this.readers = readers;
        }

        @Transactional
        public int sell(Long id) {
            read(id);
            return office.sell(id);
        }

        @Transactional
        public int sellInNewTransaction(Long id) {
            read(id);
            return office.sellInNewTransaction(id);
        }

        private void read(Long id) {
            assertThat(shows.findById(id)).isPresent();
            readers.haveRead();
        }
    }

    @RestController
    static class Counter {

        private final Shows shows;
        private final VersionedShows versioned;
        private final Office office;
        private final Agency agency;
        private final Readers readers;

        Counter(Shows shows, VersionedShows versioned, Office office, Agency agency, Readers readers) {
            this.shows = shows;
            this.versioned = versioned;
            this.office = office;
            this.agency = agency;
            this.readers = readers;
        }

        @ExceptionHandler({PersistenceContextException.class, OptimisticLockingFailureException.class})
        @ResponseStatus(HttpStatus.CONFLICT)
        void notSold() {}

        private void read(Long id) {
            assertThat(shows.findById(id)).isPresent();
            readers.haveRead();
        }

        @PostMapping("/read-first/{id}")
        int readFirst(@PathVariable Long id) {
            read(id);
            return office.sell(id);
        }

        @PostMapping("/read-inside/{id}")
        int readInside(@PathVariable Long id) {
            return office.sell(id);
        }

        @PostMapping("/refresh/{id}")
        int refresh(@PathVariable Long id) {
            read(id);
            return office.sellRefreshed(id);
        }

        @PostMapping("/new-transaction/{id}")
        int newTransaction(@PathVariable Long id) {
            read(id);
            return office.sellInNewTransaction(id);
        }

        @PostMapping("/versioned/{id}")
        int versioned(@PathVariable Long id) {
            assertThat(versioned.findById(id)).isPresent();
            readers.haveRead();
            return office.sellVersioned(id);
        }

        @PostMapping("/agency/{id}")
        int agency(@PathVariable Long id) {
            return agency.sell(id);
        }

        @PostMapping("/agency/new-transaction/{id}")
        int agencyInNewTransaction(@PathVariable Long id) {
            return agency.sellInNewTransaction(id);
        }
    }
}
