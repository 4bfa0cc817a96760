package io.dynamolock.spring;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BooleanLiteral;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.IntLiteral;
import org.springframework.expression.spel.ast.LongLiteral;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.OpAnd;
import org.springframework.expression.spel.ast.OpEQ;
import org.springframework.expression.spel.ast.OpGE;
import org.springframework.expression.spel.ast.OpGT;
import org.springframework.expression.spel.ast.OpLE;
import org.springframework.expression.spel.ast.OpLT;
import org.springframework.expression.spel.ast.OpNE;
import org.springframework.expression.spel.ast.OpOr;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.OperatorNot;
import org.springframework.expression.spel.ast.RealLiteral;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.Ternary;
import org.springframework.expression.spel.ast.VariableReference;

/**
 * An expression with a variable in the place of each placeholder outside of quotes. The values take the places of the variables
 * after it was parsed, so that no value is ever read as a part of the expression: whoever may set a property could run code by it.
 *
 * @param attribute what of the annotation it is, for messages
 * @param text as the author wrote it
 * @param values of the variables, which are numbered
 */
record ResolvedExpression(String methodName, String attribute, String text, String source, List<Value> values) {

    /** What a placeholder stands for. */
    record Value(String placeholder, String text) {}

    /** What the place of a value takes. A number and a truth must be that, and a text is one even if it looks like a number. */
    private enum Place {
        TEXT,
        NUMBER,
        TRUTH,
        ANY
    }

    private static final String VARIABLE = "#_$";

    private static final Set<Class<?>> COMPARISONS =
            Set.of(OpEQ.class, OpNE.class, OpLT.class, OpLE.class, OpGT.class, OpGE.class);

    /** With spaces, so that it never grows together with what stands beside it. */
    static String variable(int number) {
        return " " + VARIABLE + number + " ";
    }

    boolean isKey() {
        return attribute.equals("key");
    }

    InvalidDynamoLockedException invalid(String problem, String remedy, @Nullable Throwable cause) {
        return new InvalidDynamoLockedException(
                methodName, "the " + attribute + " \"" + text + "\" " + problem, remedy, cause);
    }

    /**
     * @return the expression with the values in it
     * @throws InvalidDynamoLockedException if the place of a value takes no such value
     */
    SpelNodeImpl bind(SpelNodeImpl parsed, DeclaredTypes types) {
        Place whole = isKey() ? Place.TEXT : Place.ANY;
        SpelNodeImpl bound = literal(parsed, whole);
        bindChildren(bound, whole, types);
        if (bound.toStringAST().contains(VARIABLE)) {
            throw invalid(
                    "has a placeholder where no value can stand.",
                    "A placeholder gives a value, and no name of a property, a bean, a method or a type.",
                    null);
        }
        return bound;
    }

    private void bindChildren(SpelNode node, Place place, DeclaredTypes types) {
        for (int i = 0; i < node.getChildCount(); i++) {
            // Behind a dot a variable would be taken as if nothing stood before it.
            if (i == 0 || !(node instanceof CompoundExpression && node.getChild(i) instanceof VariableReference)) {
                Place ofChild = place(node, i, place, types);
                KeyOperand.replace(node, i, literal((SpelNodeImpl) node.getChild(i), ofChild));
                bindChildren(node.getChild(i), ofChild, types);
            }
        }
    }

    private Place place(SpelNode node, int index, Place ofNode, DeclaredTypes types) {
        if (node instanceof Elvis || node instanceof InlineList || node instanceof Ternary && index > 0) {
            return ofNode;
        }
        if (node instanceof OpPlus && node.getChildCount() > 1) {
            return isKey() ? Place.TEXT : Place.ANY;
        }
        if (node instanceof OpPlus || DeclaredTypes.CALCULATIONS.contains(node.getClass())) {
            return Place.NUMBER;
        }
        if (node instanceof OpAnd || node instanceof OpOr || node instanceof OperatorNot || node instanceof Ternary) {
            return Place.TRUTH;
        }
        if (COMPARISONS.contains(node.getClass())) {
            Class<?> other = types.comparable(node.getChild(1 - index));
            return Number.class.isAssignableFrom(other)
                    ? Place.NUMBER
                    : other == Boolean.class
                            ? Place.TRUTH
                            : CharSequence.class.isAssignableFrom(other) ? Place.TEXT : Place.ANY;
        }
        boolean isText = node instanceof MethodReference call
                ? Set.of("concat", "join").contains(call.getName())
                : node instanceof CompoundExpression && index == 0;
        return isText ? Place.TEXT : Place.ANY;
    }

    private SpelNodeImpl literal(SpelNodeImpl node, Place place) {
        if (!(node instanceof VariableReference) || !node.toStringAST().startsWith(VARIABLE)) {
            return node;
        }
        Value value = values.get(Integer.parseInt(node.toStringAST().substring(VARIABLE.length())));
        String text = value.text();
        int start = node.getStartPosition();
        int end = node.getEndPosition();
        boolean isNumber = text.matches("-?\\d{1,18}(\\.\\d{1,18})?");
        boolean isTruth = text.matches("(?i)true|false");
        if (place == Place.NUMBER && !isNumber) {
            throw invalid(
                    "needs a number where " + value.placeholder() + " stands, and its value is none.",
                    "Set that property to a number such as 10, -1 or 0.5, of at most 18 digits.",
                    null);
        }
        if (place == Place.TRUTH && !isTruth) {
            throw invalid(
                    "needs true or false where " + value.placeholder() + " stands, and its value is neither.",
                    "Set that property to true or false.",
                    null);
        }
        if (place == Place.TEXT || !isNumber && !isTruth) {
            return new StringLiteral(text, start, end, "'" + text.replace("'", "''") + "'");
        }
        if (isTruth) {
            return new BooleanLiteral(text, start, end, Boolean.parseBoolean(text));
        }
        if (text.contains(".")) {
            return new RealLiteral(text, start, end, Double.parseDouble(text));
        }
        long number = Long.parseLong(text);
        return number == (int) number
                ? new IntLiteral(text, start, end, (int) number)
                : new LongLiteral(text, start, end, number);
    }
}
