package io.dynamolock.model;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One condition less in the specification, and the promise that this breaks.
 *
 * @param what in words
 * @param configuration the one that shows it
 * @param caughtBy the property that is violated; the only one that is checked
 * @param changes what stands in the specification, and what is put in its place
 * @param settings what is set differently in the configuration, to find it sooner
 */
record Weakening(
        String what,
        String configuration,
        Property caughtBy,
        Map<String, String> changes,
        Map<String, String> settings) {

    /** What the specification promises. */
    enum Property {
        MutualExclusion(Kind.INVARIANT),
        ValidHandleHolds(Kind.INVARIANT),
        PermitsAreBounded(Kind.INVARIANT),
        TicketsRise(Kind.STEP),
        TheDeadStayDead(Kind.STEP),
        GrantsAreValid(Kind.STEP),
        FirstComeFirstServed(Kind.STEP),
        NobodyLosesAPlace(Kind.STEP),
        PermitsAreAgreed(Kind.STEP),
        FencesAreRefused(Kind.INVARIANT),
        TheQueueIsBounded(Kind.INVARIANT),
        TheLivingAreNotExpired(Kind.INVARIANT),
        TailRises(Kind.STEP),
        DataIsTheLastHolders(Kind.STEP),
        DataIsWritten(Kind.STEP),
        NoReaderPassesAWriter(Kind.STEP),
        TheHastyDoNotStandBehind(Kind.STEP),
        KeptIsKept(Kind.STEP),
        TheRemovedIsNotSeenAgain(Kind.STEP),
        TheEvictedAreOut(Kind.STEP),
        NoSlotServesTwice(Kind.INVARIANT),
        OneIsEvicted(Kind.INVARIANT),
        TheDeadAreExpired(Kind.TEMPORAL),
        WaitersAreServed(Kind.TEMPORAL),
        NothingIsLeft(Kind.TEMPORAL);

        private enum Kind {
            INVARIANT,
            STEP,
            TEMPORAL
        }

        private final Kind kind;

        Property(Kind kind) {
            this.kind = kind;
        }

        /** What TLC says when it is violated. */
        String inTlcsWords() {
            return kind == Kind.TEMPORAL ? TlcResult.SOME_TEMPORAL_PROPERTY : name();
        }
    }

    static Weakening of(String what, String configuration, Property caughtBy) {
        return new Weakening(what, configuration, caughtBy, Map.of(), Map.of());
    }

    Weakening replacing(String text, String replacement) {
        return new Weakening(what, configuration, caughtBy, with(changes, text, replacement), settings);
    }

    Weakening setting(String constant, String value) {
        return new Weakening(what, configuration, caughtBy, changes, with(settings, constant, value));
    }

    /** The same check of the specification as it stands. */
    Weakening undone() {
        return new Weakening(what, configuration, caughtBy, Map.of(), settings);
    }

    private static Map<String, String> with(Map<String, String> map, String key, String value) {
        Map<String, String> more = new LinkedHashMap<>(map);
        more.put(key, value);
        return more;
    }

    /** Whether it is in this text that something is replaced. */
    boolean concerns(String text) {
        return changes.keySet().stream().anyMatch(text::contains);
    }

    /** The weakened specification; fails if it no longer says what is to be weakened. */
    String applyToSpecification(String text) {
        String changed = text;
        for (Map.Entry<String, String> change : changes.entrySet()) {
            if (!changed.contains(change.getKey())) {
                throw new AssertionError("The specification no longer says: " + change.getKey());
            }
            changed = changed.replace(change.getKey(), change.getValue());
        }
        return changed;
    }

    String applyToConfiguration(String text) {
        String changed = text;
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            changed = replaceLine(
                    changed,
                    "    " + setting.getKey() + " (=|<-) .*",
                    "    " + setting.getKey() + " " + setting.getValue());
        }
        changed = replaceLine(changed, "ACTION_CONSTRAINT .*", "");
        String promise = caughtBy.name();
        changed = replaceLine(
                changed, "INVARIANTS .*", caughtBy.kind == Property.Kind.INVARIANT ? "INVARIANT " + promise : "");
        if (caughtBy.kind != Property.Kind.TEMPORAL) {
            changed = changed.replace("SPECIFICATION Spec\n", "SPECIFICATION Safely\n");
        }
        return replaceLine(
                changed, "PROPERTIES .*", caughtBy.kind == Property.Kind.INVARIANT ? "" : "PROPERTY " + promise);
    }

    private static String replaceLine(String text, String line, String replacement) {
        Matcher matcher = Pattern.compile("(?m)^" + line + "$").matcher(text);
        if (!matcher.find()) {
            throw new AssertionError("The configuration has no line: " + line);
        }
        return matcher.replaceAll(Matcher.quoteReplacement(replacement));
    }

    @Override
    public String toString() {
        return what;
    }
}
