package io.dynamolock.lockingread;

import java.time.Duration;

/**
 * What a builder was told.
 *
 * @param lockAbsent whether an item that is not there is locked, or refused
 */
record LockingSettings(
        LockAttributes attributes,
        String owner,
        boolean lockAbsent,
        TakeOver takeOver,
        Duration pollMin,
        Duration pollMax) {}
