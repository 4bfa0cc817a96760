package io.dynamolock.spring.aspect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.AbstractList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class UnfinishedWorkTest {

    /** As those of an entity whose transaction is over. */
    static class Lazy extends AbstractList<Object> {

        @Override
        public Object get(int index) {
            throw new IllegalStateException("no session");
        }

        @Override
        public int size() {
            throw new IllegalStateException("no session");
        }
    }

    @Test
    void collectionsOfOthersAreNotLookedInto() {
        assertThat(UnfinishedWork.isIn(new Lazy())).isFalse();
        assertThat(UnfinishedWork.isIn(List.of("a", new CompletableFuture<>()))).isTrue();
    }

    @Test
    void norAreTheyThroughAViewOfTheJdk() {
        assertThat(UnfinishedWork.isIn(Collections.unmodifiableList(new Lazy())))
                .isFalse();
        assertThat(UnfinishedWork.isIn(Collections.synchronizedCollection(new Lazy())))
                .isFalse();
        assertThat(UnfinishedWork.isIn(Collections.singletonList(new CompletableFuture<>())))
                .isTrue();
    }

    /** An object that can also be called is no promise of work. */
    record Price(int amount) implements Supplier<Integer>, Callable<Integer> {

        @Override
        public Integer get() {
            return amount;
        }

        @Override
        public Integer call() {
            return amount;
        }
    }

    @Test
    void anObjectThatIsAlsoASupplierIsNoWork() {
        assertThat(UnfinishedWork.isIn(new Price(1))).isFalse();
    }

    @Test
    void aMinimalFutureIsAsItsSourceIs() {
        assertThat(UnfinishedWork.isIn(new CompletableFuture<>().minimalCompletionStage()))
                .isTrue();
        assertThat(UnfinishedWork.isIn(CompletableFuture.completedStage("done")))
                .isFalse();
    }
}
