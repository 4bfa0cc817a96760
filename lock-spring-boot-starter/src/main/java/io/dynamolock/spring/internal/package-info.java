/**
 * What all packages of the starter share. Nothing here or in the packages below is for applications: types are public
 * only because Java knows no other way between packages, and change without notice.
 */
@NullMarked
package io.dynamolock.spring.internal;

import org.jspecify.annotations.NullMarked;
