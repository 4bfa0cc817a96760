package io.dynamolock.spring.autoconfigure;

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

    String problem() {
        return problem;
    }

    /** What to change. */
    String remedy() {
        return remedy;
    }
}
