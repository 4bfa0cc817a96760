package io.dynamolock.internal.engine;

import io.dynamolock.internal.engine.LineSummary.Property;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Waiters in the order of their arrival. Each stands at a place; a place that a waiter has left stays empty for a
 * while. Places are good until the next waiter is added.
 *
 * <p>A tree of {@linkplain LineSummary summaries} stands above the places, so that each method but {@link #all} takes
 * at most logarithmic time, on the average of many calls. Lives on the event loop.
 */
final class ArrivalOrder {

    /** How many neighbouring places share a leaf of the tree. A leaf for each place would take much memory. */
    private static final int PLACES_PER_LEAF = 16;

    /** If fewer than one place in this many is taken, the places are made anew. */
    private static final int SPARSE = 8;

    private @Nullable WaitingCaller[] places = new @Nullable WaitingCaller[PLACES_PER_LEAF];

    /** The arrival numbers of the waiters that stand at the places, or have stood there. Rising. */
    private long[] arrivals = new long[PLACES_PER_LEAF];

    /** How many places were given away, also if they are empty again. */
    private int used;

    /** The root is at 1, the children of the node at i are at 2i and 2i + 1, and the second half are the leaves. */
    private LineSummary[] tree = emptyTree(1);

    private static LineSummary[] emptyTree(int leaves) {
        LineSummary[] tree = new LineSummary[2 * leaves];
        Arrays.fill(tree, LineSummary.NOBODY);
        return tree;
    }

    // Changes

    /** @throws IllegalArgumentException if the waiter came before one that was added before */
    void add(WaitingCaller waiter) {
        if (used > 0 && waiter.arrival() <= arrivals[used - 1]) {
            throw new IllegalArgumentException(
                    "a waiter with the arrival " + waiter.arrival() + " after one with " + arrivals[used - 1]);
        }
        if (used == places.length) {
            makeRoom();
        }
        places[used] = waiter;
        arrivals[used] = waiter.arrival();
        LineSummary summary = LineSummary.of(waiter);
        for (int node = leafOf(used); node >= 1; node /= 2) {
            tree[node] = tree[node].plus(summary);
        }
        used++;
    }

    void remove(WaitingCaller waiter) {
        int place = placeFrom(waiter.arrival());
        if (!standsAt(place, waiter)) {
            return;
        }
        places[place] = null;
        refresh(place);
        if (summary().count() == 0) {
            used = 0;
        }
        if (places.length > PLACES_PER_LEAF && summary().count() < places.length / SPARSE) {
            makeRoom();
        }
    }

    /** What summaries say of the waiter has changed. */
    void changed(WaitingCaller waiter) {
        int place = placeFrom(waiter.arrival());
        if (standsAt(place, waiter)) {
            refresh(place);
        }
    }

    /** Closes the gaps, so that at least half of the places are free. */
    private void makeRoom() {
        List<WaitingCaller> standing = all();
        int leaves = 1;
        while (leaves * PLACES_PER_LEAF < 2 * standing.size()) {
            leaves *= 2;
        }
        places = new @Nullable WaitingCaller[leaves * PLACES_PER_LEAF];
        arrivals = new long[places.length];
        tree = emptyTree(leaves);
        used = standing.size();
        for (int place = 0; place < used; place++) {
            places[place] = standing.get(place);
            arrivals[place] = standing.get(place).arrival();
            tree[leafOf(place)] = tree[leafOf(place)].plus(LineSummary.of(standing.get(place)));
        }
        for (int node = leaves - 1; node >= 1; node--) {
            tree[node] = tree[2 * node].plus(tree[2 * node + 1]);
        }
    }

    private void refresh(int place) {
        int node = leafOf(place);
        int first = place - place % PLACES_PER_LEAF;
        tree[node] = atPlaces(first, first + PLACES_PER_LEAF);
        for (node /= 2; node >= 1; node /= 2) {
            tree[node] = tree[2 * node].plus(tree[2 * node + 1]);
        }
    }

    private int leafOf(int place) {
        return tree.length / 2 + place / PLACES_PER_LEAF;
    }

    // Questions

    LineSummary summary() {
        return tree[1];
    }

    boolean contains(WaitingCaller waiter) {
        return standsAt(placeFrom(waiter.arrival()), waiter);
    }

    @SuppressWarnings("ReferenceEquality") // Two waiters are never the same caller.
    private boolean standsAt(int place, WaitingCaller waiter) {
        return place < used && places[place] == waiter;
    }

    /** All waiters. Takes linear time. */
    List<WaitingCaller> all() {
        return between(0, used);
    }

    /** The waiters from a place on, and before another place. Takes as long as there are places between them. */
    List<WaitingCaller> between(int from, int to) {
        List<WaitingCaller> waiters = new ArrayList<>();
        for (int place = from; place < to; place++) {
            WaitingCaller waiter = places[place];
            if (waiter != null) {
                waiters.add(waiter);
            }
        }
        return waiters;
    }

    /** The waiter at this place; {@code null} if there is none. */
    @Nullable
    WaitingCaller at(int place) {
        return place < used ? places[place] : null;
    }

    /** The place behind all waiters. */
    int end() {
        return used;
    }

    /** The first place of a waiter that has this arrival number or a greater one, or had it and has left. */
    int placeFrom(long arrival) {
        int place = Arrays.binarySearch(arrivals, 0, used, arrival);
        return place >= 0 ? place : -place - 1;
    }

    /** How many waiters before this place have the property. */
    int count(Property property, int to) {
        int leaf = leafOf(to);
        int count = leaf == tree.length ? property.count(summary()) : 0;
        for (int place = to - to % PLACES_PER_LEAF; place < to; place++) {
            count += isOf(property, place) ? 1 : 0;
        }
        for (int node = leaf == tree.length ? 1 : leaf; node > 1; node /= 2) {
            count += node % 2 == 1 ? property.count(tree[node - 1]) : 0;
        }
        return count;
    }

    private boolean isOf(Property property, int place) {
        WaitingCaller waiter = places[place];
        return waiter != null && property.isOf(waiter);
    }

    /** The place of the first waiter with the property from this place on; {@link #end} if there is none. */
    int next(Property property, int from) {
        return find(property, from, 1);
    }

    /** The place of the n-th waiter with the property from this place on; {@link #end} if there are fewer. */
    int find(Property property, int from, int n) {
        int left = n + count(property, from);
        if (property.count(summary()) < left) {
            return used;
        }
        int node = 1;
        while (node < tree.length / 2) {
            node *= 2;
            int first = property.count(tree[node]);
            if (first < left) {
                left -= first;
                node++;
            }
        }
        int place = (node - tree.length / 2) * PLACES_PER_LEAF;
        left -= isOf(property, place) ? 1 : 0;
        while (left > 0) {
            place++;
            left -= isOf(property, place) ? 1 : 0;
        }
        return place;
    }

    /** The summary of the waiters from a place on, and before another place. */
    LineSummary summary(int from, int to) {
        int firstLeaf = (from + PLACES_PER_LEAF - 1) / PLACES_PER_LEAF;
        int endLeaf = to / PLACES_PER_LEAF;
        if (firstLeaf >= endLeaf) {
            return atPlaces(from, to);
        }
        LineSummary sum = atPlaces(from, firstLeaf * PLACES_PER_LEAF).plus(atPlaces(endLeaf * PLACES_PER_LEAF, to));
        int low = tree.length / 2 + firstLeaf;
        int high = tree.length / 2 + endLeaf;
        while (low < high) {
            if (low % 2 == 1) {
                sum = sum.plus(tree[low++]);
            }
            if (high % 2 == 1) {
                sum = sum.plus(tree[--high]);
            }
            low /= 2;
            high /= 2;
        }
        return sum;
    }

    private LineSummary atPlaces(int from, int to) {
        return LineSummary.of(places, from, to);
    }
}
