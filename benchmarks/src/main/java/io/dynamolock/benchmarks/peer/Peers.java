package io.dynamolock.benchmarks.peer;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The locks that can be compared. This project's comes first, because the figures of the others are given as multiples
 * of it.
 */
public final class Peers {

    private static final List<Peer> ALL = List.of(
            DynamoLockPeer.usual(),
            DynamoLockPeer.awaitingReleases(),
            SharingPeer.readers(),
            SharingPeer.permits(),
            new LockingTablePeer(),
            new AwsLockClientPeer(),
            new SpringCloudAwsPeer(),
            new ShedLockPeer(),
            new LockingReadPeer(),
            new ArticlePeer());

    private Peers() {}

    public static List<Peer> all() {
        return ALL;
    }

    /** Whether the lock is one of this project's. */
    public static boolean isOurs(Peer peer) {
        return peer instanceof DynamoLockPeer || peer instanceof LockingTablePeer || isSharing(peer);
    }

    /**
     * Whether the lock takes part in the general comparison, of locks with one holder at a time. Of the locking reads,
     * only the one from the article does; this project's lock does as it is used without further settings.
     */
    public static boolean isLock(Peer peer) {
        return !(peer instanceof LockingTablePeer) && !isSharing(peer) && !isAwaited(peer);
    }

    /** Whether it is this project's lock with callers that wait until their releases are written. */
    public static boolean isAwaited(Peer peer) {
        return peer instanceof DynamoLockPeer ours && ours.awaitsRelease();
    }

    public static boolean isShedLock(Peer peer) {
        return peer instanceof ShedLockPeer;
    }

    /** Whether several callers can hold the lock at a time. */
    public static boolean isSharing(Peer peer) {
        return peer instanceof SharingPeer;
    }

    /** Whether the lock lies in the item that is worked on. */
    public static boolean isLockingRead(Peer peer) {
        return peer instanceof LockingTablePeer || peer instanceof LockingReadPeer;
    }

    /** The chosen peers, in the order of this enumeration. */
    public static List<Peer> named(Collection<String> ids) {
        List<String> known = ALL.stream().map(Peer::id).toList();
        if (!known.containsAll(ids)) {
            throw new IllegalArgumentException("Unknown peers in " + ids + "; there are " + known);
        }
        return ALL.stream().filter(peer -> ids.contains(peer.id())).collect(Collectors.toList());
    }
}
