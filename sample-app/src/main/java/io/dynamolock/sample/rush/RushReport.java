package io.dynamolock.sample.rush;

import java.util.List;

/**
 * The results of a rush.
 *
 * @param orders how many there were with each lock
 * @param results one for each lock, in the order in which they were tried
 */
public record RushReport(String customer, int orders, List<RushResult> results) {}
