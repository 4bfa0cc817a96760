/**
 * Builds a registry: {@code RegistryBuilder} takes the settings, {@code SettingsRules} and {@code TableOptions} check
 * them, and {@code RegistryParts} puts the parts together. {@code RegistrySurroundings} stands for this machine's
 * clocks and threads.
 *
 * <p>Read {@code RegistryBuilder} first. Tests of code that uses locks build on another store or other surroundings by
 * it.
 */
@NullMarked
package io.dynamolock.internal.builder;

import org.jspecify.annotations.NullMarked;
