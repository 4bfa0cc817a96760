package io.dynamolock.benchmarks.scenario;

import java.util.Locale;

/** Figures in sentences. */
final class Words {

    private Words() {}

    static String number(double value, int decimals) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    /** How a time of ours compares with another's. */
    static String percentMore(double ours, double other) {
        double percent = 100 * (ours / other - 1);
        return number(Math.abs(percent), 1) + " % " + (percent > 0 ? "slower" : "faster");
    }
}
