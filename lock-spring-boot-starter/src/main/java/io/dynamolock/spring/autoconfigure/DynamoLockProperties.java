package io.dynamolock.spring.autoconfigure;

import io.dynamolock.spring.annotation.EnableDynamoLocks;
import io.dynamolock.spring.annotation.PersistenceContextCheck;
import io.dynamolock.spring.annotation.ReleaseTime;
import io.dynamolock.spring.internal.declarations.LockDurations;
import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.context.annotation.AdviceMode;
import org.springframework.util.StringUtils;

/**
 * The properties of DynamoLock. Not public, so that properties can be added without breaking code that makes such
 * records. Code changes settings with a {@link LockRegistryBuilderCustomizer}.
 *
 * @param enabled Whether locks exclude callers; if not, every lock is granted at once, and everything else works as
 *     usual.
 * @param store Where the locks live: in a DynamoDB table, in a DynamoDB Local inside this process (for development and
 *     tests), or in the memory of this process (for tests).
 * @param usualWait How long requests and methods wait for their lock unless they say otherwise, such as 60s, 0 or
 *     forever.
 * @param awaitRelease Whether a method or a section under a lock ends only when the lock is released in the table; by
 *     default only in AWS Lambda. Needed if another process tries the lock without waiting right afterwards.
 * @param stay How long the entry of a released lock may stay in the queue so that a caller of this process that comes
 *     back at once gets the lock without a call: at most 50ms, 0 for not at all. Meanwhile, other callers wait or find
 *     the lock taken.
 * @param owner Name of this process for people who look at a lock; by default the application's name, the host and the
 *     process id.
 * @param keyPrefix Prefix of every partition key, so that locks can share a table with other items.
 * @param lease How long the locks of this process survive without a heartbeat; after a crash, others wait that long.
 * @param callTimeout How long one call to DynamoDB may take, at most a third of the lease; by default a fifth of the
 *     lease, but not more than 4s.
 * @param maxQueue How many entries the queue of a lock may have; callers of one process usually share an entry. A
 *     process that finds the queue full waits until there is room.
 * @param retention How long the item of an unused lock stays in the table, at least 1d.
 * @param persistenceContext What to do when a method takes its lock on a thread that may have read data before, because
 *     it has a persistence context with entities, or a transaction with a snapshot: warn once for each method, fail
 *     instead of entering the method, or ignore it.
 * @param poll How often to read a lock while another process is ahead.
 * @param table The DynamoDB table.
 * @param aws Where DynamoDB is. If anything is set here, the locks get a client of their own.
 * @param embedded DynamoDB Local inside this process.
 * @param aspect The aspect behind @DynamoLocked.
 * @param observation Observations, of which traces and timers are made.
 * @param messages Messages of exceptions, and log lines.
 */
@ConfigurationProperties("dynamolock")
record DynamoLockProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("dynamodb") StoreType store,
        @Name("wait") @DefaultValue("60s") String usualWait,
        @Nullable Boolean awaitRelease,
        @DefaultValue("10ms") Duration stay,
        @Nullable String owner,
        @DefaultValue("") String keyPrefix,
        @DefaultValue("20s") Duration lease,
        @Nullable Duration callTimeout,
        @DefaultValue("200") int maxQueue,
        @DefaultValue("7d") Duration retention,
        @DefaultValue("warn") PersistenceContextCheck persistenceContext,
        @DefaultValue Poll poll,
        @DefaultValue Table table,
        @DefaultValue Aws aws,
        @DefaultValue Embedded embedded,
        @DefaultValue Aspect aspect,
        @DefaultValue Observation observation,
        @DefaultValue Messages messages) {

    public DynamoLockProperties {
        parsed(usualWait);
    }

    private static Duration parsed(String wait) {
        try {
            return LockDurations.parse(wait);
        } catch (IllegalArgumentException e) {
            // Without the cause, because Spring Boot would show the innermost cause only.
            throw new IllegalArgumentException("dynamolock.wait: " + e.getMessage());
        }
    }

    /** The wait of @DynamoLocked methods without a wait of their own. */
    Duration parsedWait() {
        return parsed(usualWait);
    }

    /** Whether to create a missing table: as the property says, or by default only in the embedded DynamoDB Local. */
    boolean createsTable() {
        return table.create() == null ? store == StoreType.EMBEDDED : table.create() == TableCreation.IF_MISSING;
    }

    /** Where the locks live. */
    public enum StoreType {

        /** A DynamoDB table. */
        DYNAMODB,

        /** DynamoDB Local inside this process. */
        EMBEDDED,

        /** The memory of this process: locks exclude only callers of the same application context. */
        MEMORY
    }

    /** When to create the table. */
    public enum TableCreation {

        /** Never. */
        NEVER,

        /** At start-up, if there is no table with that name. */
        IF_MISSING
    }

    /** What to do at start-up about a table that is missing or wrong. */
    public enum TableCheck {

        /** Stop the start. */
        FAIL,

        /** Log it. */
        WARN,

        /** Do not check. If a missing table is to be created, look only for that, create it, and log problems. */
        NEVER
    }

    /**
     * How often to read a lock while another process is ahead.
     *
     * @param min Least time from one read of a lock to the next, even when this process is next in line.
     */
    public record Poll(@DefaultValue("5ms") Duration min) {}

    /**
     * The DynamoDB table.
     *
     * @param name Name or ARN of the table.
     * @param create Whether to create the table at start-up; by default never with the store dynamodb, if-missing with
     *     the store embedded.
     * @param check What to do at start-up if the table is missing, lacks the right keys or TTL, or is replicated to
     *     other regions without strong consistency: fail, warn, or never check.
     * @param singleRegion Whether all instances use the table in the same region, so that it may be a global table
     *     without strong consistency.
     * @param partitionKeyAttribute Name of the partition key.
     * @param sortKeyAttribute Name of the sort key.
     * @param ttlAttribute Name of the TTL attribute.
     * @param formatAttribute Name of the attribute in which later versions of DynamoLock state that an item has a
     *     format unknown to this version.
     */
    public record Table(
            @DefaultValue("dynamolock") String name,
            @Nullable TableCreation create,
            @DefaultValue("fail") TableCheck check,
            @DefaultValue("false") boolean singleRegion,
            @DefaultValue("pk") String partitionKeyAttribute,
            @DefaultValue("sk") String sortKeyAttribute,
            @DefaultValue("expiresAt") String ttlAttribute,
            @DefaultValue("dynamolock:format") String formatAttribute) {}

    /**
     * Where DynamoDB is. Connection details take precedence. Settings that are missing come from Spring Cloud AWS, then
     * from the application's AwsRegionProvider bean, then from the AWS SDK's usual sources.
     *
     * @param region AWS region, such as eu-central-1.
     * @param endpoint Address of DynamoDB, to reach DynamoDB Local, for example http://localhost:8000; with an address
     *     on this machine or a private network, region and credentials may be left out.
     */
    public record Aws(@Nullable String region, @Nullable URI endpoint) implements DynamoLockConnectionDetails {

        public Aws {
            // A blank value, as from ${AWS_REGION:}, counts as not set.
            region = StringUtils.hasText(region) ? region : null;
            if (endpoint != null && (endpoint.getScheme() == null || endpoint.getHost() == null)) {
                throw new IllegalArgumentException("The endpoint of DynamoDB '" + endpoint
                        + "' is not a full address: write it like http://localhost:8000");
            }
        }
    }

    /**
     * DynamoDB Local inside this process.
     *
     * @param port Port of the embedded DynamoDB Local, for other processes on this machine; 0 for any free port.
     */
    public record Embedded(@DefaultValue("0") int port) {

        public Embedded {
            if (port < 0 || port > 65_535) {
                throw new IllegalArgumentException("dynamolock.embedded.port must be from 0 to 65535, but is " + port);
            }
        }
    }

    /**
     * The aspect behind @DynamoLocked.
     *
     * @param order Order among other aspects: a smaller number is further outside; the default is outside transactions.
     * @param release When to release the lock of a method that was called inside a transaction: at the end of the
     *     transaction, or of the method.
     * @param mode How methods are locked: by proxies, or by AspectJ, which must weave DynamoLockedAspect into their
     *     classes.
     */
    public record Aspect(
            @DefaultValue("" + EnableDynamoLocks.DEFAULT_ORDER)
            int order,

            @DefaultValue("transaction-end") ReleaseTime release,

            @DefaultValue("proxy") AdviceMode mode) {}

    /**
     * Observations, of which traces and timers are made.
     *
     * @param showKeys Whether spans carry the keys of locks, which may be personal data; metrics never do.
     */
    public record Observation(@DefaultValue("false") boolean showKeys) {}

    /**
     * Messages of exceptions, and log lines.
     *
     * @param showKeys Whether messages contain the keys of locks and the names of callers, operators and processes,
     *     which may be personal data; if not, they have hashes instead, and the lock's name. Counts for the whole
     *     process: an application in it that does not set the property leaves the setting as it is.
     */
    public record Messages(@DefaultValue("true") boolean showKeys) {}
}
