/**
 * What {@link java.util.concurrent.locks.Lock} asks of every implementation, asked of the locks of a registry: on the
 * real engine and a store in memory, with contenders in one process and in two. Read {@link
 * io.dynamolock.contract.LockContract} first, which all test classes extend.
 */
package io.dynamolock.contract;
