package io.dynamolock.engine;

import io.dynamolock.internal.engine.EngineSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The callers of one lock that have no place in its queue yet, in the order of their arrival. Lives on the event loop. */
final class Gathering {

    /** A longer wait has time for looks, however seldom others look. */
    private static final Duration LONGEST_TRY = Duration.ofMillis(10);

    private final boolean oneByOne;
    private final Duration longestTry;
    private final Set<Caller> callers = new LinkedHashSet<>();
    private long arrivals;

    /** @param oneByOne whether one caller has the lock after the other: else each that comes gets a place */
    Gathering(EngineSettings settings, boolean oneByOne) {
        this.oneByOne = oneByOne;
        this.longestTry =
                Collections.min(List.of(LONGEST_TRY, settings.pollMin().dividedBy(2)));
    }

    void add(Caller caller) {
        caller.arrivesAs(++arrivals);
        callers.add(caller);
    }

    /** These need a place again: all who have none are sorted by their arrival. */
    void putBack(Collection<Caller> again) {
        List<Caller> all = new ArrayList<>(callers);
        all.addAll(again);
        all.sort(Comparator.comparingLong(Caller::arrival));
        callers.clear();
        callers.addAll(all);
    }

    void remove(Caller caller) {
        callers.remove(caller);
    }

    boolean isEmpty() {
        return callers.isEmpty();
    }

    boolean contains(Caller caller) {
        return callers.contains(caller);
    }

    @Nullable
    Caller first() {
        return callers.isEmpty() ? null : callers.iterator().next();
    }

    Collection<Caller> callers() {
        return callers;
    }

    /** A copy: what is done with a caller may remove it. */
    List<Caller> all() {
        return List.copyOf(callers);
    }

    /** Those who had come by then; a copy as well. */
    Stream<Caller> until(long nanos) {
        return all().stream().filter(caller -> caller.startedNanos() - nanos <= 0);
    }

    /**
     * Whether the caller gets no place in the queue for itself: it does not wait, or its wait would be over before it could
     * look. Its block would only be in the way of the others.
     */
    boolean isHasty(Caller caller) {
        return oneByOne && caller.spec().waitLimit().compareTo(longestTry) <= 0;
    }

    /** Whether anybody needs a place in the queue. */
    boolean hasPatient() {
        return callers.stream().anyMatch(caller -> !isHasty(caller));
    }

    /** The shortest wait of those who need a place in the queue. */
    Duration shortest() {
        return Caller.shortestWait(
                callers.stream().filter(caller -> !isHasty(caller)).toList());
    }

    /** Takes the first that wait, up to so many: a place that others get is for hasty callers among them, too. */
    Set<Caller> take(int most) {
        return remove(callers.stream()
                .filter(caller -> !oneByOne || !caller.spec().waitsNotAtAll())
                .limit(most));
    }

    /** Takes the hasty ones before whom nobody else has come. */
    Set<Caller> takeHasty(int most) {
        return remove(callers.stream().takeWhile(this::isHasty).limit(most));
    }

    private Set<Caller> remove(Stream<Caller> some) {
        Set<Caller> taken = some.collect(Collectors.toCollection(LinkedHashSet::new));
        callers.removeAll(taken);
        return taken;
    }
}
