package io.dynamolock.spring.autoconfigure;

import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/** The names and types of all properties, read from {@link DynamoLockProperties}. */
final class KnownProperties {

    static final String PREFIX = "dynamo-lock.";

    /** A name that is longer than this by edits is another word, not a slip. */
    private static final int FARTHEST_SLIP = 3;

    private final Map<String, Class<?>> types = new TreeMap<>();

    KnownProperties() {
        collect(DynamoLockProperties.class, PREFIX);
    }

    private void collect(Class<?> type, String prefix) {
        Constructor<?> canonical = type.getDeclaredConstructors()[0];
        for (Parameter parameter : canonical.getParameters()) {
            Name given = parameter.getAnnotation(Name.class);
            String name = prefix + (given != null ? given.value() : dashed(parameter.getName()));
            if (parameter.getType().isRecord()) {
                collect(parameter.getType(), name + ".");
            } else {
                types.put(name, parameter.getType());
            }
        }
    }

    static String dashed(String camelCase) {
        return camelCase.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    Iterable<String> durations() {
        return types.keySet().stream()
                .filter(name -> types.get(name) == Duration.class)
                .toList();
    }

    /** In every notation that Spring Boot reads. */
    boolean contain(String name) {
        return types.keySet().stream().anyMatch(known -> plain(known).equals(plain(name)));
    }

    /** Whether Spring Boot reads one of them from an environment variable of that name. */
    boolean areReadFrom(String variable) {
        Binder binder =
                new Binder(Objects.requireNonNull(ConfigurationPropertySource.from(new SystemEnvironmentPropertySource(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, Map.of(variable, "")))));
        return types.keySet().stream()
                .anyMatch(name -> binder.bind(name, String.class).isBound());
    }

    /** The environment variable that was meant, in the same spelling, or the empty text if nothing is like it. */
    String nearestVariable(String variable) {
        boolean everyUnderscore = variable.toUpperCase(Locale.ROOT).startsWith("DYNAMO_");
        return nearest(variable)
                .replace("-", everyUnderscore ? "_" : "")
                .replace('.', '_')
                .toUpperCase(Locale.ROOT);
    }

    /** What was meant, or the empty text if nothing is like it. */
    String nearest(String name) {
        String letters = letters(name);
        // Of a short name fewer letters: "port" is no slip of "wait".
        int farthest =
                Math.min(FARTHEST_SLIP, (letters.length() - letters(PREFIX).length()) / 3);
        return types.keySet().stream()
                .min(Comparator.comparingInt(known -> distance(letters(known), letters)))
                .filter(known -> distance(letters(known), letters) <= farthest)
                .orElse("");
    }

    private static String letters(String name) {
        return plain(name).replace(".", "");
    }

    /** Dots stay: they are the same in every notation. */
    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("-", "").replace("_", "");
    }

    /** How many letters must be changed, put in or left out. */
    private static int distance(String one, String other) {
        int[] row = new int[other.length() + 1];
        for (int j = 0; j <= other.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[other.length()];
    }
}
