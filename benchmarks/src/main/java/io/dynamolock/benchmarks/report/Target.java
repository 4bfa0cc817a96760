package io.dynamolock.benchmarks.report;

/**
 * What was wanted, beside what was measured. Whether it was met is computed from the figure, never told by hand.
 *
 * @param what the work and the figure
 * @param wanted the limit in words
 * @param measured the figure in words, with that of a peer where it is compared with one
 */
public record Target(String what, String wanted, String measured, Verdict verdict) {

    /** What came of it. */
    public enum Verdict {
        MET("met"),
        MISSED("**missed**"),
        /** There is no figure: nothing happened that could be timed, or there was no peer to compare with. */
        NOT_MEASURED("not measured");

        private final String text;

        Verdict(String text) {
            this.text = text;
        }
    }

    static final String TABLE_HEAD = "| what | target | measured | |\n| --- | --- | --- | --- |\n";

    /** @param figure not a number if there is none */
    public static Target below(String what, double limit, double figure, String wanted, String measured) {
        return of(what, figure, figure < limit, wanted, measured);
    }

    /** @param figure not a number if there is none */
    public static Target atMost(String what, double limit, double figure, String wanted, String measured) {
        return of(what, figure, figure <= limit, wanted, measured);
    }

    /** @param figure not a number if there is none */
    public static Target atLeast(String what, double limit, double figure, String wanted, String measured) {
        return of(what, figure, figure >= limit, wanted, measured);
    }

    private static Target of(String what, double figure, boolean met, String wanted, String measured) {
        if (Double.isNaN(figure)) {
            return new Target(what, wanted, "-", Verdict.NOT_MEASURED);
        }
        return new Target(what, wanted, measured, met ? Verdict.MET : Verdict.MISSED);
    }

    String toMarkdown() {
        return "| " + what + " | " + wanted + " | " + measured + " | " + verdict.text + " |\n";
    }
}
