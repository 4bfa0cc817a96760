package io.dynamolock.benchmarks.scenario;

import java.math.BigDecimal;
import java.util.Locale;

/** Puts figures into words. */
final class Words {

    private Words() {}

    static String number(double value, int decimals) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    /** A limit, as short as it can be written. */
    static String limit(double limit) {
        return BigDecimal.valueOf(limit).stripTrailingZeros().toPlainString();
    }

    /** How a time of this project's compares with another. */
    static String comparedWith(double ours, double other) {
        double ratio = ours / other;
        if (ratio >= 2) {
            return "takes " + number(ratio, 1) + " times as long";
        }
        return "is " + number(100 * Math.abs(ratio - 1), 1) + " % " + (ratio > 1 ? "slower" : "faster");
    }
}
