package io.dynamolock.engine;

import io.dynamolock.internal.engine.Holder;
import io.dynamolock.protocol.Entry;
import io.dynamolock.protocol.LockItem;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Where the callers of one lock stand, and who holds it, for those who are told. Lives on the event loop. */
final class Places {

    private final EngineParts parts;
    private final Outlook outlook;
    private final Holds hold;

    Places(EngineParts parts, Outlook outlook, Holds hold) {
        this.parts = parts;
        this.outlook = outlook;
        this.hold = hold;
    }

    /** The last known holder. */
    @Nullable
    Holder holder() {
        GrantedLock current = hold.current();
        if (current != null) {
            return new Holder(parts.context().settings.owner(), current.since());
        }
        Entry first = outlook.item().first();
        if (first == null) {
            return null;
        }
        boolean isOwn = parts.keeper().isOwn(first.session());
        String owner = isOwn ? parts.context().settings.owner() : parts.peers().owner(first.session());
        return new Holder(owner, outlook.firstSeen());
    }

    /** Its ticket if its block is first, else what it would be if nobody behind it left. */
    long estimate(Caller caller, Block block) {
        int index = outlook.item().indexOf(block.id());
        if (caller.number() > 0 || index < 0) {
            return caller.number();
        }
        return outlook.item().lastTicket(index) - block.entry().callers() + 1 + before(caller, block.callers());
    }

    /** How many are ahead of the caller, as far as this process knows. */
    long ahead(Caller caller, Collection<Caller> gathering) {
        LockItem item = outlook.item();
        Block block = caller.block();
        int index = block == null ? -1 : item.indexOf(block.id());
        long before = before(caller, block == null ? gathering : block.callers());
        if (index == 0 && hold.current() != null) {
            return before + 1;
        }
        return before + item.callersBefore(index < 0 ? item.queue().size() : index);
    }

    private static long before(Caller caller, Collection<Caller> company) {
        return company.stream().takeWhile(other -> other != caller).count();
    }
}
