/**
 * Pages of results in Markdown, with their tables, charts and targets. Read
 * {@link io.dynamolock.benchmarks.report.ReportFolder} first.
 */
@NullMarked
package io.dynamolock.benchmarks.report;

import org.jspecify.annotations.NullMarked;
