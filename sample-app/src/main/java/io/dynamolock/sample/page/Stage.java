package io.dynamolock.sample.page;

import io.dynamolock.LockEvent;
import io.dynamolock.LockException;
import io.dynamolock.LockRegistry;
import io.dynamolock.LockSnapshot;
import io.dynamolock.sample.SampleProperties;
import io.dynamolock.sample.page.PageState.Group;
import io.dynamolock.sample.page.PageState.Hold;
import io.dynamolock.sample.page.PageState.InstanceState;
import io.dynamolock.sample.page.PageState.Kind;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * The two instances of the page. Their lock registries are no beans: the application itself has another registry.
 * Thread-safe.
 */
@Component
class Stage implements InitializingBean, DisposableBean {

    private static final int LOOKS_FOR_A_READ = 10;

    private final Duration lease;
    private final Board board;
    private final Instance a;
    private final Instance b;

    /** A registry that asks for no lock: it reads the queue, also while an instance is frozen. */
    private final LockRegistry looker;

    private final AtomicInteger looks = new AtomicInteger();
    private volatile List<Group> lastLine = List.of();

    Stage(@Qualifier("dynamoLockDynamoDbClient") DynamoDbClient client, SampleProperties properties, Clock clock) {
        this.lease = properties.page().lease();
        this.board = new Board(clock);
        this.a = instance(InstanceName.A, client, properties.page());
        this.b = instance(InstanceName.B, client, properties.page());
        this.looker = LockRegistry.builder(client)
                .tableName(properties.page().lockTable())
                .lease(lease)
                .build();
    }

    private Instance instance(InstanceName name, DynamoDbClient client, SampleProperties.Page page) {
        long process = ProcessHandle.current().pid();
        return new Instance(name, client, page.lockTable(), lease, process, event -> heard(name, event));
    }

    @Override
    public void afterPropertiesSet() {
        looker.admin().table().orElseThrow().createIfMissing();
    }

    Duration lease() {
        return lease;
    }

    Board board() {
        return board;
    }

    Instance instance(InstanceName name) {
        return name == InstanceName.A ? a : b;
    }

    private void heard(InstanceName name, LockEvent event) {
        if (event instanceof LockEvent.Lost lost) {
            board.lost(name);
            board.tell(
                    Kind.BAD,
                    "Instance %s has lost the lock that it had with ticket %d: %s."
                            .formatted(name, board.ticket(lost.fencingToken()), reason(lost.reason())));
        }
    }

    private static String reason(String reason) {
        return switch (reason) {
            case "session-lost" -> "no heartbeat of it got through for a lease";
            case "max-hold" -> "its time was over";
            default -> reason;
        };
    }

    /** At most one read of the lock and one of the sessions in its queue; waits for DynamoDB. */
    PageState look() {
        return board.state(lease, Stream.of(a, b).map(this::state).toList(), line());
    }

    private InstanceState state(Instance instance) {
        return new InstanceState(
                instance.name(),
                hold(instance),
                instance.ice().isFrozen(),
                instance.waiting(),
                board.losses(instance.name()));
    }

    private static Hold hold(Instance instance) {
        var asked = instance.held();
        return asked == null ? Hold.NONE : asked.isDone() ? Hold.HOLDS : Hold.WAITS;
    }

    /** Without callers of this process the queue is read less often, because the sample counts and shows its calls. */
    private List<Group> line() {
        boolean quiet = !board.isRushing()
                && Stream.of(a, b).allMatch(instance -> instance.held() == null && instance.waiting() == 0);
        if (!quiet || looks.getAndIncrement() % LOOKS_FOR_A_READ == 0) {
            lastLine = readLine();
        }
        return lastLine;
    }

    private List<Group> readLine() {
        LockSnapshot seen;
        try {
            seen = looker.admin().inspect(Instance.KEY);
        } catch (LockException notNow) {
            return List.of();
        }
        List<Group> line = new ArrayList<>();
        seen.holder().ifPresent(holder -> {
            // Callers in the holder's own entry, behind the holder.
            long turn = board.turnNow();
            if (turn > 0 && turn < board.ticket(holder.greatestToken())) {
                line.add(new Group(named(holder.owner()), turn + 1, board.ticket(holder.greatestToken())));
            }
        });
        seen.queue()
                .forEach(waiter -> line.add(new Group(
                        named(waiter.owner()), board.ticket(waiter.firstToken()), board.ticket(waiter.lastToken()))));
        // The table counts callers that have given up, too, until their entry is removed.
        line.removeIf(
                group -> group.instance() != null && instance(group.instance()).waiting() == 0);
        return line;
    }

    private @Nullable InstanceName named(String owner) {
        return Stream.of(a, b)
                .filter(instance -> instance.owner().equals(owner))
                .map(Instance::name)
                .findFirst()
                .orElse(null);
    }

    @Override
    public void destroy() {
        looker.close();
        a.close();
        b.close();
    }
}
