package io.dynamolock.spring.internal.declarations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynamolock.spring.annotation.InvalidDynamoLockedException;
import java.lang.reflect.Method;
import java.nio.file.DirectoryStream;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.ListIterator;
import java.util.Map;
import java.util.Optional;
import java.util.PrimitiveIterator;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.Stream;
import kotlin.Lazy;
import kotlin.jvm.functions.Function0;
import kotlin.sequences.Sequence;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.ObjectFactory;
import software.amazon.awssdk.core.pagination.sync.SdkIterable;
import software.amazon.awssdk.enhanced.dynamodb.model.PageIterable;
import software.amazon.awssdk.services.dynamodb.paginators.ListTablesIterable;
import software.amazon.awssdk.services.dynamodb.paginators.QueryIterable;
import software.amazon.awssdk.services.dynamodb.paginators.ScanIterable;

/** Results whose work is done when they are used, and results that only look like it. */
class LazyResultsTest {

    /** As a page of Spring Data: a source and a function, too, but with data of its own. */
    interface Page extends Iterable<String>, Supplier<Stream<String>> {

        int getTotal();
    }

    interface Priced {

        long price();
    }

    /** Nobody outside can ask it anything. */
    abstract static class Job implements Runnable {

        abstract String name();
    }

    record ImportJob(String file) implements Runnable {

        @Override
        public void run() {}
    }

    abstract static class Query implements Callable<String> {

        public abstract String getText();
    }

    interface NamedJob extends Runnable {

        String name();
    }

    abstract static class Greeting implements Function0<String> {

        public abstract String getName();
    }

    abstract static class Rows implements Iterator<String> {

        public abstract int getSize();
    }

    abstract static class Doubling implements IntUnaryOperator {}

    enum Rounding implements IntUnaryOperator {
        DOWN;

        @Override
        public int applyAsInt(int operand) {
            return operand;
        }
    }

    @SuppressWarnings("unused")
    interface Lazily {

        Iterator<String> iterator();

        PrimitiveIterator.OfInt ints();

        Enumeration<String> enumeration();

        Iterable<String> iterable();

        Sequence<String> sequence();

        Lazy<String> lazy();

        SdkIterable<String> sdk();

        QueryIterable query();

        ScanIterable scan();

        ListTablesIterable tables();

        PageIterable<String> enhanced();

        DirectoryStream<Path> directory();

        Runnable runnable();

        Job job();

        Callable<String> callable();

        Thread thread();

        Rows rows();

        ListIterator<String> list();

        Function<String, String> function();

        Supplier<String> supplier();

        Comparator<String> comparator();

        Doubling functionOfAClass();

        Function0<String> lambdaOfKotlin();

        kotlin.Function<String> anyFunctionOfKotlin();

        ObjectFactory<String> bean();

        List<Runnable> several();

        Optional<Iterator<String>> maybe();
    }

    @SuppressWarnings("unused")
    interface Done {

        String text();

        LocalDate date();

        DayOfWeek constant();

        Rounding function();

        Collection<String> collection();

        SortedSet<String> set();

        Map<String, List<String>> map();

        Path path();

        JsonNode json();

        Page page();

        ImportJob job();

        Query query();

        NamedJob namedJob();

        Greeting functionOfKotlin();

        List<ImportJob> jobs();

        Priced projection();

        Comparable<String> comparable();

        int[] numbers();

        @Nullable
        Object anything();
    }

    static Stream<Method> lazy() {
        return Arrays.stream(Lazily.class.getMethods());
    }

    static Stream<Method> done() {
        return Arrays.stream(Done.class.getMethods());
    }

    @ParameterizedTest
    @MethodSource("lazy")
    void aResultThatWorksWhenItIsUsedIsRefusedAtTheStart(Method method) {
        assertThatThrownBy(() -> MethodChecks.check(method, Lazily.class, "Work." + method.getName(), false, true))
                .isInstanceOf(InvalidDynamoLockedException.class)
                .hasMessageContaining("it returns a ")
                .hasMessageContaining("The lock would be released before the work ends.");
    }

    @ParameterizedTest
    @MethodSource("done")
    void aResultWithDataOfItsOwnIsAccepted(Method method) {
        assertThat(UnfinishedWork.reasonToRefuse(method, Done.class)).isEmpty();
    }
}
