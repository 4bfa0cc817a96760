package io.dynamolock.spring.internal.keys;

import java.math.BigDecimal;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.expression.TypedValue;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.Elvis;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineList;
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
import org.springframework.expression.spel.ast.OperatorNot;
import org.springframework.expression.spel.ast.OperatorPower;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.SpelNodeImpl;
import org.springframework.expression.spel.ast.StringLiteral;
import org.springframework.expression.spel.ast.Ternary;

/**
 * Copies a parsed expression with two changes. A text literal in a calculation becomes a number, because the value of a
 * placeholder is a text. In a key, each value that {@code +} joins becomes a {@link KeyPart}. The expression is copied
 * because its nodes cannot be changed.
 */
final class ExpressionTree {

    private interface Node {
        SpelNodeImpl make(int start, int end, SpelNodeImpl... children);
    }

    private static final Map<Class<?>, Node> CALCULATIONS = Map.of(
            OpMinus.class, OpMinus::new,
            OpMultiply.class, OpMultiply::new,
            OpDivide.class, OpDivide::new,
            OpModulus.class, OpModulus::new,
            OperatorPower.class, OperatorPower::new);

    /** Other nodes whose children are copied. A node of any further kind is taken as it is, with its children. */
    private static final Map<Class<?>, Node> OTHERS = Map.ofEntries(
            Map.entry(OpPlus.class, OpPlus::new),
            Map.entry(OpAnd.class, OpAnd::new),
            Map.entry(OpOr.class, OpOr::new),
            Map.entry(OpEQ.class, OpEQ::new),
            Map.entry(OpNE.class, OpNE::new),
            Map.entry(OpLT.class, OpLT::new),
            Map.entry(OpLE.class, OpLE::new),
            Map.entry(OpGT.class, OpGT::new),
            Map.entry(OpGE.class, OpGE::new),
            Map.entry(OperatorBetween.class, OperatorBetween::new),
            Map.entry(OperatorNot.class, (start, end, children) -> new OperatorNot(start, end, children[0])),
            Map.entry(Ternary.class, Ternary::new),
            Map.entry(Elvis.class, Elvis::new),
            Map.entry(CompoundExpression.class, CompoundExpression::new),
            Map.entry(InlineList.class, InlineList::new));

    private ExpressionTree() {}

    /** @throws NumberFormatException if a text literal in a calculation is no number; the message contains the text */
    static SpelNodeImpl ofCondition(SpelNode parsed) {
        return rebuild(parsed, false);
    }

    /** @throws NumberFormatException as {@link #ofCondition} */
    static SpelNodeImpl ofKey(SpelNode parsed) {
        return rebuild(parsed, true);
    }

    private static SpelNodeImpl rebuild(SpelNode parsed, boolean isKey) {
        SpelNodeImpl node = (SpelNodeImpl) parsed;
        int start = node.getStartPosition();
        int end = node.getEndPosition();
        if (node instanceof Projection projection) {
            return new Projection(projection.isNullSafe(), start, end, rebuild(node.getChild(0), isKey));
        }
        if (node instanceof Indexer) {
            // The index only selects a value: it is no part of the key.
            return new Indexer(node.isNullSafe(), start, end, rebuild(node.getChild(0), false));
        }
        if (node instanceof MethodReference call) {
            return new MethodReference(call.isNullSafe(), call.getName(), start, end, children(node, isKey));
        }
        Node calculation = CALCULATIONS.get(node.getClass());
        if (calculation != null) {
            SpelNodeImpl[] operands = children(node, isKey);
            for (int i = 0; i < operands.length; i++) {
                if (operands[i] instanceof StringLiteral text) {
                    operands[i] = new NumberLiteral(text);
                }
            }
            return calculation.make(start, end, operands);
        }
        Node other = OTHERS.get(node.getClass());
        if (other == null) {
            return node;
        }
        SpelNodeImpl[] children = children(node, isKey);
        if (isKey && node instanceof OpPlus) {
            for (int i = 0; i < children.length; i++) {
                children[i] = part(children[i]);
            }
        }
        return other.make(start, end, children);
    }

    private static SpelNodeImpl[] children(SpelNode node, boolean isKey) {
        return IntStream.range(0, node.getChildCount())
                .mapToObj(i -> rebuild(node.getChild(i), isKey))
                .toArray(SpelNodeImpl[]::new);
    }

    /**
     * Wraps an operand of {@code +} into a {@link KeyPart}. A literal stays as it is, even if it is blank, because the
     * author wrote it. So does another sum, whose operands are parts already.
     */
    private static SpelNodeImpl part(SpelNodeImpl operand) {
        boolean isWritten = operand instanceof Literal && !(operand instanceof NullLiteral);
        if (isWritten || operand instanceof OpPlus) {
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
