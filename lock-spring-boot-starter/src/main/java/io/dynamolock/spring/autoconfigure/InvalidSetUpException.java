package io.dynamolock.spring.autoconfigure;

import java.util.Collection;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.ObjectProvider;

/** The application is set up in a way in which its locks would not do what it expects, so it must not start. */
final class InvalidSetUpException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String remedy;

    InvalidSetUpException(String problem, String remedy) {
        super(problem + " " + remedy);
        this.problem = problem;
        this.remedy = remedy;
    }

    /**
     * @return null if there are none
     * @throws InvalidSetUpException with this problem if there are several, of which none is primary
     */
    static <T> @Nullable T onlyOf(ObjectProvider<T> beans, String problem, String remedy) {
        try {
            return beans.getIfAvailable();
        } catch (NoUniqueBeanDefinitionException several) {
            Collection<String> names = several.getBeanNamesFound();
            throw new InvalidSetUpException(
                    problem + (names == null ? "" : ": " + String.join(", ", names)) + ".", remedy);
        }
    }

    String problem() {
        return problem;
    }

    /** What to change. */
    String remedy() {
        return remedy;
    }
}
