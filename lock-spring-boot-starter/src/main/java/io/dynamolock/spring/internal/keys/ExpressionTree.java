package io.dynamolock.spring.internal.keys;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Assign;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.ConstructorReference;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineList;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.Literal;
import org.springframework.expression.spel.ast.MethodReference;
import org.springframework.expression.spel.ast.NullLiteral;
import org.springframework.expression.spel.ast.OpAnd;
import org.springframework.expression.spel.ast.OpDivide;
import org.springframework.expression.spel.ast.OpEQ;
import org.springframework.expression.spel.ast.OpGE;
import org.springframework.expression.spel.ast.OpGT;
import org.springframework.expression.spel.ast.OpLE;
import org.springframework.expression.spel.ast.OpLT;
import org.springframework.expression.spel.ast.OpMinus;
import org.springframework.expression.spel.ast.OpModulus;
import org.springframework.expression.spel.ast.OpMultiply;
import org.springframework.expression.spel.ast.OpNE;
import org.springframework.expression.spel.ast.OpOr;
import org.springframework.expression.spel.ast.OpPlus;
import org.springframework.expression.spel.ast.OperatorBetween;
import org.springframework.expression.spel.ast.OperatorInstanceof;
import org.springframework.expression.spel.ast.OperatorNot;
import org.springframework.expression.spel.ast.OperatorPower;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.Ternary;

/**
 * Copies a parsed expression with two changes. A text literal in a calculation becomes a number, because the value of a
 * placeholder is a text. In a key, each value that {@code +} joins becomes a {@link KeyPart}. The expression is copied
 * because its nodes cannot be changed.
 */
final class ExpressionTree {

    /** Makes a node like the given node, but with other children. */
    private interface Copy {
        SpelNodeImpl of(SpelNodeImpl node, SpelNodeImpl... children);
    }

    private interface Constructor {
        SpelNodeImpl make(int start, int end, SpelNodeImpl... children);
    }

    private static final Set<Class<?>> CALCULATIONS =
            Set.of(OpMinus.class, OpMultiply.class, OpDivide.class, OpModulus.class, OperatorPower.class);

    /**
     * How to copy a node with other children, for each kind of node that can be copied. A node of any other kind is
     * kept as it is; if one of its children would have to change, the expression is refused. Such a kind is {@code
     * matches}: each of its constructors is missing or deprecated in some version of Spring Framework 7.0.
     */
    private static final Map<Class<?>, Copy> COPIES = Map.ofEntries(
            Map.entry(OpPlus.class, madeBy(OpPlus::new)),
            Map.entry(OpMinus.class, madeBy(OpMinus::new)),
            Map.entry(OpMultiply.class, madeBy(OpMultiply::new)),
            Map.entry(OpDivide.class, madeBy(OpDivide::new)),
            Map.entry(OpModulus.class, madeBy(OpModulus::new)),
            Map.entry(OperatorPower.class, madeBy(OperatorPower::new)),
            Map.entry(OpAnd.class, madeBy(OpAnd::new)),
            Map.entry(OpOr.class, madeBy(OpOr::new)),
            Map.entry(OpEQ.class, madeBy(OpEQ::new)),
            Map.entry(OpNE.class, madeBy(OpNE::new)),
            Map.entry(OpLT.class, madeBy(OpLT::new)),
            Map.entry(OpLE.class, madeBy(OpLE::new)),
            Map.entry(OpGT.class, madeBy(OpGT::new)),
            Map.entry(OpGE.class, madeBy(OpGE::new)),
            Map.entry(OperatorBetween.class, madeBy(OperatorBetween::new)),
            Map.entry(OperatorInstanceof.class, madeBy(OperatorInstanceof::new)),
            Map.entry(OperatorNot.class, madeBy((start, end, children) -> new OperatorNot(start, end, children[0]))),
            Map.entry(Ternary.class, madeBy(Ternary::new)),
            Map.entry(Elvis.class, madeBy(Elvis::new)),
            Map.entry(Assign.class, madeBy(Assign::new)),
            Map.entry(CompoundExpression.class, madeBy(CompoundExpression::new)),
            Map.entry(InlineList.class, madeBy(InlineList::new)),
            Map.entry(InlineMap.class, madeBy(InlineMap::new)),
            Map.entry(ConstructorReference.class, ExpressionTree::constructorCall),
            Map.entry(FunctionReference.class, ExpressionTree::functionCall),
            Map.entry(MethodReference.class, ExpressionTree::methodCall),
            Map.entry(Indexer.class, ExpressionTree::index),
            Map.entry(Projection.class, ExpressionTree::projection),
            Map.entry(Selection.class, ExpressionTree::selection));

    private ExpressionTree() {}

    /**
     * @throws NumberFormatException if a text literal in a calculation is no number; the message contains the text
     * @throws UnsupportedOperationException if a change is due inside a node that can only be kept as it is; the
     *     message contains texts of the expression
     */
    static SpelNodeImpl ofCondition(SpelNode parsed) {
        return rebuild(parsed, false);
    }

    /**
     * @throws NumberFormatException as {@link #ofCondition}
     * @throws UnsupportedOperationException as {@link #ofCondition}
     */
    static SpelNodeImpl ofKey(SpelNode parsed) {
        return rebuild(parsed, true);
    }

    private static SpelNodeImpl rebuild(SpelNode parsed, boolean isKey) {
        SpelNodeImpl node = (SpelNodeImpl) parsed;
        // The index only selects a value: it is no part of the key.
        boolean isPartOfKey = isKey && !(node instanceof Indexer);
        SpelNodeImpl[] children = IntStream.range(0, node.getChildCount())
                .mapToObj(i -> rebuild(node.getChild(i), isPartOfKey))
                .toArray(SpelNodeImpl[]::new);
        if (CALCULATIONS.contains(node.getClass())) {
            replace(children, ExpressionTree::number);
        }
        if (isKey && node instanceof OpPlus) {
            replace(children, ExpressionTree::part);
        }
        boolean isChanged = IntStream.range(0, children.length).anyMatch(i -> children[i] != node.getChild(i));
        if (isArrayOfSize(node) && node.toStringAST().contains("'")) {
            // The size is not among the children, and may be calculated with the text literal.
            throw unsupported(node);
        }
        return isChanged ? copy(node, children) : node;
    }

    private static void replace(SpelNodeImpl[] nodes, UnaryOperator<SpelNodeImpl> replacement) {
        for (int i = 0; i < nodes.length; i++) {
            nodes[i] = replacement.apply(nodes[i]);
        }
    }

    private static SpelNodeImpl copy(SpelNodeImpl node, SpelNodeImpl... children) {
        Copy copy = COPIES.get(node.getClass());
        if (copy == null) {
            throw unsupported(node);
        }
        return copy.of(node, children);
    }

    private static UnsupportedOperationException unsupported(SpelNodeImpl node) {
        return new UnsupportedOperationException("Cannot be made with other children: " + node.toStringAST());
    }

    private static Copy madeBy(Constructor constructor) {
        return (node, children) -> constructor.make(node.getStartPosition(), node.getEndPosition(), children);
    }

    private static SpelNodeImpl constructorCall(SpelNodeImpl node, SpelNodeImpl... children) {
        if (isArray(node)) {
            throw unsupported(node);
        }
        return new ConstructorReference(node.getStartPosition(), node.getEndPosition(), children);
    }

    private static boolean isArrayOfSize(SpelNodeImpl node) {
        return node instanceof ConstructorReference && node.getChildCount() == 1 && isArray(node);
    }

    /** By the text: an array is {@code new T[3]} or {@code new T[] {x}}, and any other object {@code new T(x)}. */
    private static boolean isArray(SpelNodeImpl construction) {
        String type = construction.getChild(0).toStringAST();
        return !construction.toStringAST().startsWith("new " + type + "(");
    }

    private static SpelNodeImpl functionCall(SpelNodeImpl node, SpelNodeImpl... children) {
        String text = node.toStringAST();
        String name = text.substring("#".length(), text.indexOf('('));
        return new FunctionReference(name, node.getStartPosition(), node.getEndPosition(), children);
    }

    private static SpelNodeImpl methodCall(SpelNodeImpl node, SpelNodeImpl... children) {
        String name = ((MethodReference) node).getName();
        return new MethodReference(node.isNullSafe(), name, node.getStartPosition(), node.getEndPosition(), children);
    }

    private static SpelNodeImpl index(SpelNodeImpl node, SpelNodeImpl... children) {
        return new Indexer(node.isNullSafe(), node.getStartPosition(), node.getEndPosition(), children[0]);
    }

    private static SpelNodeImpl projection(SpelNodeImpl node, SpelNodeImpl... children) {
        return new Projection(node.isNullSafe(), node.getStartPosition(), node.getEndPosition(), children[0]);
    }

    private static SpelNodeImpl selection(SpelNodeImpl node, SpelNodeImpl... children) {
        int variant = switch (node.toStringAST().charAt(0)) {
            case '^' -> Selection.FIRST;
            case '$' -> Selection.LAST;
            default -> Selection.ALL;
        };
        return new Selection(node.isNullSafe(), variant, node.getStartPosition(), node.getEndPosition(), children[0]);
    }

    private static SpelNodeImpl number(SpelNodeImpl operand) {
        return operand instanceof StringLiteral text ? new NumberLiteral(text) : operand;
    }

    /**
     * Wraps an operand of {@code +} into a {@link KeyPart}. A literal stays as it is, even if it is blank, because the
     * author wrote it.
     */
    private static SpelNodeImpl part(SpelNodeImpl operand) {
        boolean isWritten = operand instanceof Literal && !(operand instanceof NullLiteral);
        if (isWritten) {
            return operand;
        }
        int start = operand.getStartPosition();
        int end = operand.getEndPosition();
        if (operand instanceof Ternary) {
            SpelNodeImpl condition = (SpelNodeImpl) operand.getChild(0);
            return new Ternary(start, end, condition, partOf(operand, 1), partOf(operand, 2));
        }
        if (operand instanceof Elvis) {
            SpelNodeImpl first = (SpelNodeImpl) operand.getChild(0);
            return new Elvis(start, end, new KeyPart(first, true), partOf(operand, 1));
        }
        return new KeyPart(operand, false);
    }

    private static SpelNodeImpl partOf(SpelNode operand, int child) {
        return part((SpelNodeImpl) operand.getChild(child));
    }

    private static final class NumberLiteral extends Literal {

        private final TypedValue number;

        NumberLiteral(StringLiteral text) {
            super(text.getOriginalValue(), text.getStartPosition(), text.getEndPosition());
            this.number = new TypedValue(
                    new BigDecimal(String.valueOf(text.getLiteralValue().getValue())));
        }

        @Override
        public TypedValue getLiteralValue() {
            return number;
        }
    }
}
