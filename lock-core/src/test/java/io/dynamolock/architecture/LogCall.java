package io.dynamolock.architecture;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A call in main code that writes to the log, as its source says it.
 *
 * @param arguments the message and its arguments
 */
public record LogCall(String file, List<String> arguments) {

    private static final Pattern BEGINNING = Pattern.compile("\\b(?:log|LOG)\\.(?:debug|info|warn|error)\\(");

    /** A failure that was caught goes by such a name, here and in the code. */
    private static final Pattern BARE_FAILURE =
            Pattern.compile("e|\\w*[eE]xception|\\w*[fF]ailure|bug|malformed|noThread");

    /** The calls in the sources below these folders. */
    public static List<LogCall> of(Path... folders) throws IOException {
        List<LogCall> calls = new ArrayList<>();
        for (Path folder : folders) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path source :
                        files.filter(file -> file.toString().endsWith(".java")).toList()) {
                    String text = Files.readString(source);
                    Matcher beginnings = BEGINNING.matcher(text);
                    while (beginnings.find()) {
                        calls.add(new LogCall(source.toString(), arguments(text, beginnings.end())));
                    }
                }
            }
        }
        return calls;
    }

    /** @param from where the first argument begins */
    private static List<String> arguments(String source, int from) {
        List<String> arguments = new ArrayList<>();
        int begin = from;
        int depth = 0;
        boolean isQuoted = false;
        for (int i = from; depth >= 0; i++) {
            char c = source.charAt(i);
            if (isQuoted && c == '\\') {
                i++;
            } else if (c == '"') {
                isQuoted = !isQuoted;
            } else if (!isQuoted) {
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
                if (depth < 0 || depth == 0 && c == ',') {
                    arguments.add(source.substring(begin, i).strip());
                    begin = i + 1;
                }
            }
        }
        return arguments;
    }

    /**
     * Whether each placeholder has an argument. SLF4J takes a failure that comes last for the stack trace and for no
     * placeholder. A message that is not written here has one placeholder.
     */
    public boolean isComplete() {
        String message = arguments.get(0);
        int placeholders = message.startsWith("\"") ? message.split("\\{}", -1).length - 1 : 1;
        return placeholders == arguments.size() - 1 - (hasFailure() ? 1 : 0);
    }

    private boolean hasFailure() {
        return last().startsWith("SafeFailure.of(") || hasBareFailure();
    }

    /** Whether a failure is logged whose texts may be of any length. */
    public boolean hasBareFailure() {
        return BARE_FAILURE.matcher(last()).matches();
    }

    private String last() {
        return arguments.get(arguments.size() - 1);
    }
}
