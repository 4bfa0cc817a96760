package io.dynamolock.spring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;

/** Finds names in a key that stand by themselves, as those in {@code nightly-report}: parsed, it is a subtraction. */
final class KeyNames {

    private static final Set<String> OF_ROOT = Set.of("method", "methodName", "target", "args");

    private static final Set<String> METHODS_OF_ROOT = Arrays.stream(KeyRoot.class.getMethods())
            .map(java.lang.reflect.Method::getName)
            .collect(Collectors.toUnmodifiableSet());

    /** A value such as {@code #order.id}, also in braces as templates have it, or what stands between two of them. */
    private static final Pattern TEXT_OR_VALUE = Pattern.compile("#\\{?#?(\\w+(?:\\.\\w+(?:\\(\\))?)*)}?|[^#]+");

    private KeyNames() {}

    /** The first name that {@link KeyRoot} does not have. */
    static Optional<String> unknown(SpelNode node) {
        if (node instanceof PropertyOrFieldReference property) {
            return OF_ROOT.contains(property.getName()) ? Optional.empty() : Optional.of(property.getName());
        }
        if (node instanceof MethodReference call && !METHODS_OF_ROOT.contains(call.getName())) {
            return Optional.of(call.getName() + "()");
        }
        if (node instanceof CompoundExpression) {
            return IntStream.range(0, node.getChildCount())
                    .mapToObj(i -> i == 0 ? unknown(node.getChild(i)) : inChildren(node.getChild(i)))
                    .flatMap(Optional::stream)
                    .findFirst();
        }
        return inChildren(node);
    }

    /** What the author of {@code customer:#id} or {@code nightly-report} has meant. */
    static String advice(String text) {
        if (text.matches(".*['\"+].*")) {
            return "A text stands in quotes, and + joins it with values: key = \"'customer:' + #id\".";
        }
        if (!text.contains("#")) {
            return "A text needs quotes of its own: key = \"'" + text + "'\".";
        }
        List<String> parts = new ArrayList<>();
        Matcher part = TEXT_OR_VALUE.matcher(text);
        while (part.find()) {
            parts.add(part.group(1) == null ? "'" + part.group() + "'" : "#" + part.group(1));
        }
        return "A text needs quotes of its own, and + joins it with values: key = \"" + String.join(" + ", parts)
                + "\".";
    }

    private static Optional<String> inChildren(SpelNode node) {
        // There names belong to the elements.
        if (node instanceof Selection || node instanceof Projection) {
            return Optional.empty();
        }
        boolean namesAreText = node instanceof Indexer || node instanceof InlineMap;
        return IntStream.range(0, node.getChildCount())
                .mapToObj(node::getChild)
                .filter(child -> !(namesAreText && child instanceof PropertyOrFieldReference))
                .map(KeyNames::unknown)
                .flatMap(Optional::stream)
                .findFirst();
    }
}
