package io.dynamolock.spring.autoconfigure;

/** Thrown at start if the set-up of the application would make its locks behave otherwise than expected. */
final class InvalidSetUpException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    private final String problem;
    private final String remedy;

    InvalidSetUpException(String problem, String remedy) {
        super(problem + " " + remedy);
        this.problem = problem;
        this.remedy = remedy;
    }

    String problem() {
        return problem;
    }

    /** What to change. */
    String remedy() {
        return remedy;
    }
}
