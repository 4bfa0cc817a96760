package io.dynamolock.chaos;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The way from one worker to the database, and what can go wrong on it. In a network namespace of the worker's own the kernel
 * drops its packets, so that what is under way is sent again when the cut is healed; without one the proxy before the database
 * holds everything back. Thread-safe.
 */
final class Link implements AutoCloseable {

    /** What lost packets come to for those who wait for them. */
    private static final int INSTEAD_OF_LOSSES_MILLIS = 300;

    private final @Nullable Namespace namespace;
    private final FaultyProxy proxy;

    /** @param namespace of the worker's own; closed with this link */
    Link(@Nullable Namespace namespace, InetSocketAddress database) {
        this.namespace = namespace;
        this.proxy =
                new FaultyProxy(namespace == null ? InetAddress.getLoopbackAddress() : namespace.outside(), database);
    }

    /** Which packets, or bytes, do not get through. */
    enum Cut {
        BOTH_WAYS,
        /** What the worker asks does not arrive. */
        REQUESTS,
        /** What the worker asks is done, but it does not hear of it. */
        ANSWERS,
        /** A third of the packets, at random. */
        SOME
    }

    /** What stands before the worker's command. */
    List<String> prefix() {
        return namespace == null ? List.of() : namespace.prefix();
    }

    /** Where the worker finds the database. */
    URI endpoint() {
        InetSocketAddress address = proxy.address();
        return URI.create("http://" + address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    /** Nothing gets lost: what was under way arrives when the cut is healed, however late. */
    synchronized void cut(Cut cut) {
        heal();
        boolean requests = cut != Cut.ANSWERS;
        boolean answers = cut != Cut.REQUESTS;
        if (namespace != null) {
            namespace.drop(requests, answers, cut == Cut.SOME);
        } else if (cut == Cut.SOME) {
            proxy.slow(INSTEAD_OF_LOSSES_MILLIS);
        } else {
            proxy.hold(requests, answers);
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
        if (namespace != null) {
            namespace.dropNothing();
        }
    }

    @Override
    public void close() {
        proxy.close();
        if (namespace != null) {
            namespace.close();
        }
    }
}
