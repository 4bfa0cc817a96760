package io.dynamolock.benchmarks.load;

import io.dynamolock.benchmarks.database.Usage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;

/** The result of contention: the sections of the measured time, and their cost. */
public final class ContentionResult {

    private static final long NOBODY = Long.MAX_VALUE;

    private final List<Section> inOrder;
    private final long from;
    private final long to;
    private final Usage used;
    private final Duration busy;
    private final List<Long> waitingSince;
    private final int starved;
    private final long failures;

    /**
     * @param moment the moment of a section that lies within the measured time
     * @param busy processor time used
     */
    ContentionResult(
            List<Section> all,
            ToLongFunction<Section> moment,
            long from,
            long to,
            Usage used,
            Duration busy,
            List<Long> waitingSince,
            int starved,
            long failures) {
        this.inOrder = all.stream()
                .filter(section -> moment.applyAsLong(section) - from >= 0 && moment.applyAsLong(section) - to < 0)
                .sorted(Comparator.comparingLong(section -> section.granted() - from))
                .toList();
        this.from = from;
        this.to = to;
        this.used = used;
        this.busy = busy;
        this.waitingSince = List.copyOf(waitingSince);
        this.starved = starved;
        this.failures = failures;
    }

    public int sections() {
        return inOrder.size();
    }

    public double sectionsPerSecond() {
        return inOrder.size() / seconds();
    }

    private double seconds() {
        return (to - from) / 1e9;
    }

    /**
     * The caller's time for the lock of one section: acquire and release together, without the section itself. At a
     * fixed rate it counts from the moment when the section was to start.
     */
    public Samples lockTimes() {
        return times(section -> section.granted() - section.asked() + section.released() - section.releasing());
    }

    /** From asking to being granted. */
    public Samples waits() {
        return times(section -> section.granted() - section.asked());
    }

    /** The longest wait, including waits that had not ended. */
    public double longestWaitMillis() {
        long longest =
                waitingSince.stream().mapToLong(since -> to - since).max().orElse(0);
        return Math.max(longest / 1e6, inOrder.isEmpty() ? 0 : waits().maxMillis());
    }

    /** From the beginning of a release to the next grant, if another process gets it. For one key. */
    public Samples handOversAcross() {
        return handOvers(true);
    }

    /** From the beginning of a release to the next grant, if the same process gets it. For one key. */
    public Samples handOversWithin() {
        return handOvers(false);
    }

    private Samples handOvers(boolean across) {
        List<Long> nanos = new ArrayList<>();
        for (int i = 1; i < inOrder.size(); i++) {
            Section before = inOrder.get(i - 1);
            Section next = inOrder.get(i);
            if (across == (before.process() != next.process())) {
                nanos.add(next.granted() - before.releasing());
            }
        }
        return Samples.ofNanos(nanos.stream().mapToLong(Long::longValue).toArray());
    }

    /** How many sections of one key began while another one was under way that should have excluded them. */
    public int overlaps() {
        return (int) holders().stream()
                .filter(holding -> holding.size() > allowed(holding))
                .count();
    }

    private static int allowed(List<Section> holding) {
        return holding.stream().mapToInt(Section::allowedTogether).min().orElseThrow();
    }

    /** How many sections of one key were under way at a time, at most. */
    public int mostTogether() {
        return holders().stream().mapToInt(List::size).max().orElse(0);
    }

    /** How many sections were under way after each grant, including the granted one. */
    private List<List<Section>> holders() {
        List<List<Section>> atEachGrant = new ArrayList<>();
        List<Section> holding = new ArrayList<>();
        for (Section section : inOrder) {
            holding.removeIf(earlier -> earlier.releasing() - section.granted() <= 0);
            holding.add(section);
            atEachGrant.add(List.copyOf(holding));
        }
        return atEachGrant;
    }

    /** How many grants passed a waiting caller that had asked earlier by more than the margin. */
    public int inversions(Duration margin) {
        return (int) earlierBy().filter(nanos -> nanos > margin.toNanos()).count();
    }

    /** The greatest lead of a caller that was passed; 0 if nobody was passed. */
    public double largestInversionMillis() {
        return Math.max(0, earlierBy().max().orElse(0) / 1e6);
    }

    /**
     * For each grant, the lead of the earliest caller that was still waiting; negative if all waiting callers came
     * later.
     */
    private LongStream earlierBy() {
        LongStream.Builder earlierBy = LongStream.builder();
        long earliestLater =
                waitingSince.stream().mapToLong(since -> since - from).min().orElse(NOBODY);
        for (int i = inOrder.size() - 1; i >= 0; i--) {
            long asked = inOrder.get(i).asked() - from;
            if (earliestLater != NOBODY) {
                earlierBy.add(asked - earliestLater);
            }
            earliestLater = Math.min(earliestLater, asked);
        }
        return earlierBy.build();
    }

    /** How many threads had no turn within the measured time. */
    public int starved() {
        return starved;
    }

    /** Waits that ended without the lock, locks that were lost, exceptions. */
    public long failures() {
        return failures;
    }

    /** Read and write units, added up. */
    public double unitsPerSecond() {
        return used.units() / seconds();
    }

    public double writesPerSection() {
        return used.writes() / (double) inOrder.size();
    }

    public double readsPerSection() {
        return used.reads() / (double) inOrder.size();
    }

    public double writeUnitsPerSection() {
        return used.writeUnits() / inOrder.size();
    }

    public double readUnitsPerSection() {
        return used.readUnits() / inOrder.size();
    }

    public double processorMillisPerSection() {
        return busy.toNanos() / 1e6 / inOrder.size();
    }

    private Samples times(ToLongFunction<Section> time) {
        return Samples.ofNanos(inOrder.stream().mapToLong(time).toArray());
    }
}
