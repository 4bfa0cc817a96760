package io.dynamolock.simulation.bugs;

import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One deliberate bug: a piece of a source file and what is written there instead. White space and line breaks do not
 * count, everything else does.
 *
 * @param source the file, as a path below {@code io/dynamolock}, without its ending
 * @param danger what would go wrong in production
 * @param foundBy the first seed that finds it
 */
record Bug(String name, String source, String text, String replacement, String danger, long foundBy) {

    static Named named(String name) {
        return source ->
                text -> replacement -> danger -> foundBy -> new Bug(name, source, text, replacement, danger, foundBy);
    }

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
    public String toString() {
        return name;
    }

    interface Named {
        Located in(String source);
    }

    interface Located {
        Found insteadOf(String text);
    }

    interface Found {
        Replaced write(String replacement);
    }

    interface Replaced {
        Dangerous so(String danger);
    }

    interface Dangerous {
        Bug foundBy(long seed);
    }
}
