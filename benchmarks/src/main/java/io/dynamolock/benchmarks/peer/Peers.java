package io.dynamolock.benchmarks.peer;

import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** All locks that can be compared; ours first, because the others are told in ratios to it. */
public final class Peers {

    private static final List<Peer> ALL = List.of(
            new DynamoLockPeer(),
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

    /** Whether it is one of this project's. */
    public static boolean isOurs(Peer peer) {
        return peer instanceof DynamoLockPeer || peer instanceof LockingTablePeer || isSharing(peer);
    }

    /** Whether it is measured as a lock for anything, held by one at a time: of the locking reads, the one from its article. */
    public static boolean isLock(Peer peer) {
        return !(peer instanceof LockingTablePeer) && !isSharing(peer);
    }

    /** Whether several can hold its lock at a time. */
    public static boolean isSharing(Peer peer) {
        return peer instanceof SharingPeer;
    }

    /** Whether its lock lies in the item that is worked on. */
    public static boolean isLockingRead(Peer peer) {
        return peer instanceof LockingTablePeer || peer instanceof LockingReadPeer;
    }

    /** In the order above. */
    public static List<Peer> named(Collection<String> ids) {
        List<String> known = ALL.stream().map(Peer::id).toList();
        if (!known.containsAll(ids)) {
            throw new IllegalArgumentException("Unknown peers in " + ids + "; there are " + known);
        }
        return ALL.stream().filter(peer -> ids.contains(peer.id())).collect(Collectors.toList());
    }
}
