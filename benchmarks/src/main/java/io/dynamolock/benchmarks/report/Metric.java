package io.dynamolock.benchmarks.report;

import java.util.Locale;

/**
 * A column of a table.
 *
 * @param decimals digits behind the point
 * @param asRatio whether each row's figure is also given as a multiple of the first row's, which is this project's
 */
public record Metric(String label, int decimals, boolean asRatio) {

    public static Metric timed(String label, int decimals) {
        return new Metric(label, decimals, true);
    }

    public static Metric counted(String label, int decimals) {
        return new Metric(label, decimals, false);
    }

    String format(double value, double ours) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "-";
        }
        String figure = String.format(Locale.ROOT, "%,." + decimals + "f", value);
        if (!asRatio || Double.isNaN(ours) || ours == 0) {
            return figure;
        }
        double ratio = value / ours;
        String digits = ratio >= 10 ? "%,.0f" : ratio >= 0.1 ? "%.2f" : "%.4f";
        return figure + " (" + String.format(Locale.ROOT, digits, ratio) + " x)";
    }
}
