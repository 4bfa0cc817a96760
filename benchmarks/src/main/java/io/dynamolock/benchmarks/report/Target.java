package io.dynamolock.benchmarks.report;

/**
 * A target beside the measured figure. Whether the target was met is computed from the figure, never written by hand.
 *
 * @param what the work and the figure
 * @param wanted the limit in words
 * @param measured the figure in words, with the peer's figure if the target is a comparison
 */
public record Target(String what, String wanted, String measured, Verdict verdict) {

    /** Whether the target was met. */
    public enum Verdict {
        MET("met"),
        MISSED("**missed**"),
        /** There is no figure, because nothing was timed or there was no peer to compare with. */
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
