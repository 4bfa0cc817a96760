/**
 * Single calls, measured by JMH. JMH sets the fields of states after their construction, so this package is not checked
 * for nulls. Read {@link io.dynamolock.benchmarks.micro.EngineBenchmark} first.
 */
@NullUnmarked
package io.dynamolock.benchmarks.micro;

import org.jspecify.annotations.NullUnmarked;
