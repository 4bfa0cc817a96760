/**
 * Runs TLC on the specifications in {@code spec}: on every state of the protocol, on weakened protocols, and on traces
 * of the simulator. Read {@link io.dynamolock.model.ModelTest} first.
 */
package io.dynamolock.model;
