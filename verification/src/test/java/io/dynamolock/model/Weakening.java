package io.dynamolock.model;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A specification with one condition removed, and the promise that this breaks.
 *
 * @param what the weakening in words
 * @param configuration the configuration that shows it
 * @param caughtBy the property that is violated; the only one that is checked
 * @param changes texts of the specification, and their replacements
 * @param settings settings of the configuration to change, so that TLC finds the violation sooner
 */
record Weakening(
        String what,
        String configuration,
        String caughtBy,
        Kind kind,
        Map<String, String> changes,
        Map<String, String> settings) {

    private static final Duration LIMIT = Duration.ofMinutes(30);

    /** What kind of property is violated. */
    enum Kind {
        INVARIANT,
        STEP,
        TEMPORAL
    }

    /** All weakenings in {@code Teeth.txt}, where a blank line precedes each. */
    static List<Weakening> all() {
        return Stream.of(Tlc.specification("Teeth.txt").split("\\R\\R"))
                .skip(1)
                .map(text -> parse(text.lines().map(String::strip).toList()))
                .toList();
    }

    private static Weakening parse(List<String> lines) {
        String[] where = lines.get(1).split("[:,] ");
        Kind kind = Kind.valueOf(where[2].toUpperCase(Locale.ROOT));
        Weakening weakening =
                new Weakening(lines.get(0), where[0], where[1], kind, new LinkedHashMap<>(), new LinkedHashMap<>());
        for (int i = 2; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith("- ")) {
                weakening.changes.put(
                        line.substring(2), lines.get(++i).substring(1).strip());
            } else {
                String[] setting = line.split(" ", 3);
                weakening.settings.put(setting[1], setting[2]);
            }
        }
        return weakening;
    }

    /** What TLC reports when the promise is broken. */
    String violated() {
        return kind == Kind.TEMPORAL ? TlcResult.SOME_TEMPORAL_PROPERTY : caughtBy;
    }

    /** The same check of the specification as it stands. */
    Weakening undone() {
        return new Weakening(what, configuration, caughtBy, kind, Map.of(), settings);
    }

    /** Checks the weakened specification. */
    TlcResult bite(Path directory) {
        return Tlc.in(directory)
                .check(
                        Tlc.moduleOf(configuration),
                        configuration,
                        (file, text) -> file.equals(configuration + ".cfg")
                                ? applyToConfiguration(text)
                                : concerns(text) ? applyToSpecification(text) : text,
                        LIMIT);
    }

    /** Whether a text in this file is replaced. */
    private boolean concerns(String text) {
        return changes.keySet().stream().anyMatch(text::contains);
    }

    /** The weakened specification. Fails if the text to be replaced is not there. */
    private String applyToSpecification(String text) {
        String changed = text;
        for (Map.Entry<String, String> change : changes.entrySet()) {
            if (!changed.contains(change.getKey())) {
                throw new AssertionError("The specification no longer says: " + change.getKey());
            }
            changed = changed.replace(change.getKey(), change.getValue());
        }
        return changed;
    }

    private String applyToConfiguration(String text) {
        String changed = text;
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            changed = replaceLine(
                    changed,
                    "    " + setting.getKey() + " (=|<-) .*",
                    "    " + setting.getKey() + " " + setting.getValue());
        }
        changed = replaceLine(changed, "ACTION_CONSTRAINT .*", "");
        boolean isInvariant = kind == Kind.INVARIANT;
        changed = replaceLine(changed, "INVARIANTS .*", isInvariant ? "INVARIANT " + caughtBy : "");
        if (kind != Kind.TEMPORAL) {
            changed = changed.replace("SPECIFICATION Spec\n", "SPECIFICATION Safely\n");
        }
        return replaceLine(changed, "PROPERTIES .*", isInvariant ? "" : "PROPERTY " + caughtBy);
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
