package io.dynamolock.internal.builder;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.LockRequest;
import io.dynamolock.internal.engine.EngineSettings;
import io.dynamolock.internal.handles.RequestDefaults;
import io.dynamolock.internal.protocol.Clocks;
import io.dynamolock.internal.protocol.SessionItem;
import io.dynamolock.internal.text.LockNames;
import io.dynamolock.internal.text.PersonalText;
import io.dynamolock.internal.text.SafeText;
import io.dynamolock.internal.text.ThisProcess;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The ranges of the settings, and which settings go together. Every refusal says what to change. */
final class SettingsRules {

    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final int MAX_OWNER_BYTES = 256;
    /**
     * Maximum number of characters of the application's name, if the name of the process would be too long otherwise.
     */
    private static final int MAX_APPLICATION_CHARACTERS = 64;

    /** One entry that holds the lock, and one that waits. */
    private static final int SHORTEST_QUEUE = 2;

    /**
     * Each write of a queue of this length costs about twenty of the thousand units that a partition has in a second.
     */
    private static final int LONGEST_QUEUE = 1_000;

    private SettingsRules() {}

    static EngineSettings checked(EngineSettings settings) {
        check("owner", () -> checkOwner(settings.owner()));
        Duration lease = settings.lease();
        between("lease", lease, SessionItem.SHORTEST_LEASE, SessionItem.LONGEST_LEASE);
        atMostAThird("heartbeat", settings.heartbeat(), lease, "so that one lost heartbeat does not lose the lease");
        atMostAThird(
                "callTimeout", settings.callTimeout(), lease, "so that a heartbeat can fail and be repeated in time");
        between("driftMargin", settings.driftMargin(), lease.dividedBy(Clocks.SLEW), lease.dividedBy(4));
        between("lockDelay", settings.lockDelay(), Duration.ZERO, DAY);
        checkPolls(settings);
        checkRetention(settings);
        between("maxCallsInFlight", settings.maxCallsInFlight(), 1, 10_000);
        between("maxQueue", settings.maxQueue(), SHORTEST_QUEUE, LONGEST_QUEUE);
        return settings;
    }

    static void checkWait(Duration wait) {
        between("wait", wait, Duration.ZERO, LockRequest.FOREVER);
    }

    static void checkStay(Duration stay) {
        if (stay.isNegative() || stay.compareTo(RequestDefaults.LONGEST_STAY) > 0) {
            throw new InvalidSettingException(
                    "stay must be from " + Duration.ZERO + " to " + RequestDefaults.LONGEST_STAY + ", but is " + stay
                            + ": others have to wait while the entry of a released lock stays. Zero lets nothing"
                            + " stay.",
                    "stay");
        }
    }

    /**
     * The name of a process that was given none. The application's name in it is cut, not refused, if the whole would
     * be too long.
     */
    static String defaultOwner(@Nullable String application) {
        String name = SafeText.clean(ThisProcess.name(application));
        for (int max = MAX_APPLICATION_CHARACTERS; max > 0 && application != null && isTooLong(name); max /= 2) {
            name = SafeText.clean(ThisProcess.name(SafeText.clean(application, max)));
        }
        return name;
    }

    private static boolean isTooLong(String owner) {
        return LockNames.utf8Length("The owner", owner) > MAX_OWNER_BYTES;
    }

    private static void checkOwner(String owner) {
        LockNames.requireNotEmpty("The owner", owner);
        if (isTooLong(owner)) {
            throw new IllegalArgumentException("The owner " + PersonalText.quoted(owner) + " is longer than "
                    + MAX_OWNER_BYTES + " bytes of UTF-8. It is stored with the session: use a shorter name.");
        }
        if (!SafeText.isPlain(owner)) {
            throw new IllegalArgumentException("The owner " + PersonalText.quoted(owner)
                    + " contains control characters, separators of lines or other characters that cannot be seen. It"
                    + " stands in messages and logs: leave them out.");
        }
    }

    private static void checkPolls(EngineSettings settings) {
        between("pollInterval.min", "pollInterval's min", settings.pollMin(), SHORTEST, settings.lease());
        between("pollInterval.max", "pollInterval's max", settings.pollMax(), SHORTEST, settings.lease());
        if (settings.pollMin().compareTo(settings.pollMax()) > 0) {
            throw new InvalidSettingException(
                    "pollInterval's min (" + settings.pollMin() + ") is longer than its max (" + settings.pollMax()
                            + "): swap them, or raise the max.",
                    "pollInterval.max",
                    "pollInterval.min");
        }
    }

    private static void checkRetention(EngineSettings settings) {
        between("retention", settings.retention(), DAY, Duration.ofDays(3_650));
        Duration inUse = settings.lease().plus(settings.lockDelay());
        if (settings.retention().compareTo(inUse) <= 0) {
            throw new InvalidSettingException(
                    "retention (" + settings.retention() + ") must be longer than lease + lockDelay (" + inUse
                            + "), or DynamoDB's TTL could remove what is in use: raise the retention.",
                    "retention");
        }
    }

    private static <T extends Comparable<T>> void between(String setting, T value, T min, T max) {
        between(setting, setting, value, min, max);
    }

    private static <T extends Comparable<T>> void between(String setting, String what, T value, T min, T max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new InvalidSettingException(
                    what + " must be from " + min + " to " + max + ", but is " + value + ".", setting);
        }
    }

    private static void atMostAThird(String what, Duration value, Duration lease, String why) {
        between(what, value, SHORTEST, DAY);
        Duration max = lease.dividedBy(3);
        if (value.compareTo(max) > 0) {
            throw new InvalidSettingException(
                    what + " (" + value + ") must be at most a third of the lease (" + lease + "), " + why
                            + ": lower the " + what + " to " + max + " or less, or raise the lease to "
                            + value.multipliedBy(3) + " or more.",
                    what,
                    "lease");
        }
    }

    /** Runs the check, and names the setting in the exception if it fails. */
    static void check(String setting, Runnable check) {
        try {
            check.run();
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(String.valueOf(e.getMessage()), setting);
        }
    }
}
