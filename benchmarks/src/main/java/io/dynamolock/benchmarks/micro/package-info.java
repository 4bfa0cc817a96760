/** Single calls, measured by JMH, which sets the fields of states after their construction: hence not checked for nulls. */
@NullUnmarked
package io.dynamolock.benchmarks.micro;

import org.jspecify.annotations.NullUnmarked;
