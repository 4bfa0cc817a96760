/** Classes that AspectJ weaves at compile time. */
@org.jspecify.annotations.NullMarked
package io.dynamolock.weaving;
