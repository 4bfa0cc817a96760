package io.dynamolock.simulation.bugs;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A bug in the engine's own code: a piece of a source file and what is written there instead. White space and line
 * breaks do not count, everything else does.
 *
 * @param source the file, as a path below {@code io/dynamolock}, without its ending
 */
record PatchedBug(String name, String source, String text, String replacement, String danger, long foundBy)
        implements Bug {

    /** The source with the bug in it. Fails if the text is not there exactly once: the list has to follow the code. */
    String applyTo(String code) {
        Pattern pattern = Pattern.compile(
                Arrays.stream(text.strip().split("\\s+")).map(Pattern::quote).collect(Collectors.joining("\\s+")));
        List<MatchResult> found = pattern.matcher(code).results().toList();
        if (found.size() != 1) {
            throw new IllegalStateException("The bug '" + name + "' no longer fits the code: its text is "
                    + found.size() + " times in " + source + ". Mend the list of bugs. The text: " + text);
        }
        return pattern.matcher(code).replaceFirst(Matcher.quoteReplacement(replacement));
    }

    @Override
    public LongFunction<@Nullable String> simulation() {
        return BrokenSimulation.with(this)::run;
    }

    @Override
    public String toString() {
        return name;
    }
}
