package io.dynamolock.spring;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.ConstructorResolver;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.IndexAccessor;
import org.springframework.expression.MethodResolver;
import org.springframework.expression.OperatorOverloader;
import org.springframework.expression.PropertyAccessor;
import org.springframework.expression.TypeComparator;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.TypeLocator;
import org.springframework.expression.TypedValue;

/**
 * What an expression sees of one call. Spring's own context makes all its parts anew, which costs a call several times what the
 * rest of the aspect does; here calls share what does not depend on them.
 *
 * @param shared the context that all calls of the method share
 * @param positions where in the arguments each variable is
 */
record CallContext(
        EvaluationContext shared,
        Map<String, Integer> positions,
        @Nullable Object[] arguments,
        KeyRoot root) implements EvaluationContext {

    @Override
    public TypedValue getRootObject() {
        return new TypedValue(root);
    }

    @Override
    public @Nullable Object lookupVariable(String name) {
        Integer position = positions.get(name);
        return position == null ? null : arguments[position];
    }

    @Override
    public void setVariable(String name, @Nullable Object value) {
        throw new IllegalStateException("an expression may not assign #" + name);
    }

    @Override
    public boolean isAssignmentEnabled() {
        return false;
    }

    @Override
    public List<PropertyAccessor> getPropertyAccessors() {
        return shared.getPropertyAccessors();
    }

    @Override
    public List<IndexAccessor> getIndexAccessors() {
        return shared.getIndexAccessors();
    }

    @Override
    public List<ConstructorResolver> getConstructorResolvers() {
        return shared.getConstructorResolvers();
    }

    @Override
    public List<MethodResolver> getMethodResolvers() {
        return shared.getMethodResolvers();
    }

    @Override
    public @Nullable BeanResolver getBeanResolver() {
        return shared.getBeanResolver();
    }

    @Override
    public TypeLocator getTypeLocator() {
        return shared.getTypeLocator();
    }

    @Override
    public TypeConverter getTypeConverter() {
        return shared.getTypeConverter();
    }

    @Override
    public TypeComparator getTypeComparator() {
        return shared.getTypeComparator();
    }

    @Override
    public OperatorOverloader getOperatorOverloader() {
        return shared.getOperatorOverloader();
    }
}
