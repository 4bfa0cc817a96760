package io.dynamolock.chaos;

import java.net.InetSocketAddress;
import java.net.URI;

/** The way from one worker to the database, through a proxy, and what can go wrong on it. Thread-safe. */
final class Link implements AutoCloseable {

    /** What lost packets come to for those who wait for them. */
    private static final int INSTEAD_OF_LOSSES_MILLIS = 300;

    private final FaultyProxy proxy;

    Link(InetSocketAddress database) {
        proxy = new FaultyProxy(database);
    }

    /** What does not get through. */
    enum Cut {
        BOTH_WAYS,
        /** What the worker asks does not arrive. */
        REQUESTS,
        /** What the worker asks is done, but it does not hear of it. */
        ANSWERS,
        /** Nothing is kept back, but all of it takes long, as where packets get lost and are sent again. */
        SOME
    }

    /** Where the worker finds the database. */
    URI endpoint() {
        InetSocketAddress address = proxy.address();
        return URI.create("http://" + address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    /** Nothing gets lost: what was under way arrives when the cut is healed, however late. */
    synchronized void cut(Cut cut) {
        heal();
        if (cut == Cut.SOME) {
            proxy.slow(INSTEAD_OF_LOSSES_MILLIS);
        } else {
            proxy.hold(cut != Cut.ANSWERS, cut != Cut.REQUESTS);
        }
    }

    /** Every piece of data takes this much longer, in each direction. */
    void slow(int millis) {
        proxy.slow(millis);
    }

    /** Resets every connection. */
    void reset() {
        proxy.reset();
    }

    /** Ends cut and slowness. */
    synchronized void heal() {
        proxy.slow(0);
        proxy.hold(false, false);
    }

    @Override
    public void close() {
        proxy.close();
    }
}
