package io.dynamolock.engine;

import io.dynamolock.internal.engine.Kind;
import io.dynamolock.internal.protocol.LockKey;

/** What the parts of one queue share. Lives on the event loop. */
final class KeyParts {

    final KeyGroup group;
    final Kind kind;
    final LockKey key;
    final EngineParts engine;
    final EngineContext context;
    final Outlook outlook;
    final Holds hold;
    final Line line;
    final Gathering gathering;
    final Waits waits;
    final KeyCalls calls;
    final Comeback comeback;
    final HeldData data;

    KeyParts(KeyGroup group, Kind kind, KeyCalls.Events events) {
        this.group = group;
        this.kind = kind;
        this.key = group.key;
        this.engine = group.engine;
        this.context = engine.context();
        this.outlook = group.outlook;
        this.hold = isOneByOne() ? new Hold() : new SharedHold();
        this.line = new Line(isOneByOne());
        this.gathering = new Gathering(context.settings, isOneByOne());
        this.waits = new Waits(engine, outlook, hold, gathering, isOneByOne());
        this.calls = new KeyCalls(key, context, outlook, events);
        this.comeback = new Comeback(context, calls);
        this.data = new HeldData(hold, line, calls);
    }

    /** Whether one caller of this process has the lock after the other, and all go by its order. */
    boolean isOneByOne() {
        return kind == Kind.EXCLUSIVE;
    }

    /** Takes out whatever an ask of the block may have put into the queue, though it was not answered. */
    void undo(Block block) {
        if (block.mayHaveLanded()) {
            engine.strays().remove(key, block.id(), true);
        }
    }
}
