package io.dynamolock.internal.testing;

import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * The steps that main code has taken. Only code that {@link CountedCode} has loaded calls the methods which count; for
 * all other code the count is zero. Not thread-safe: one thread does all the work that is counted.
 */
public final class Steps {

    private static long count;

    private Steps() {}

    /** How many steps were taken so far. */
    public static long count() {
        return count;
    }

    /** A method is called, or another round of a loop begins. */
    public static void one() {
        count++;
    }

    /** A method of the JDK is called that goes through all of these elements. */
    public static void all(Object elements) {
        if (elements instanceof Collection<?> collection) {
            count += collection.size();
        } else if (elements instanceof Map<?, ?> map) {
            count += map.size();
        }
    }

    /** An element is looked for. In a list or queue of the JDK, this goes through the elements. */
    public static void search(Object elements) {
        boolean isLinear =
                elements instanceof List<?> || elements instanceof Deque<?> || elements instanceof PriorityQueue<?>;
        if (isLinear) {
            all(elements);
        }
    }
}
