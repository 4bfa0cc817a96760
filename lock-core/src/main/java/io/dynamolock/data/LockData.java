package io.dynamolock.data;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * User data in the item of a lock: bytes, or a text as UTF-8. No data and empty data are the same. Immutable and
 * thread-safe.
 *
 * <p>Keep it small: DynamoDB charges a write unit for each started KiB of the lock's item with <em>every</em> write of
 * the item, and each answer about the lock carries the data to each waiting process.
 */
public final class LockData {

    /** Maximum number of bytes: 64 KiB. */
    public static final int MOST_BYTES = 65_536;

    /** No data. */
    public static final LockData EMPTY = new LockData(new byte[0]);

    private final byte[] bytes;

    private LockData(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * A copy of these bytes.
     *
     * @throws IllegalArgumentException if there are more than {@value #MOST_BYTES}
     */
    public static LockData of(byte[] bytes) {
        if (bytes.length > MOST_BYTES) {
            throw new IllegalArgumentException("The data of a lock may have " + MOST_BYTES + " bytes, but this has "
                    + bytes.length + ". Keep it elsewhere, and its key in the lock.");
        }
        return bytes.length == 0 ? EMPTY : new LockData(bytes.clone());
    }

    /**
     * This text in UTF-8.
     *
     * @throws IllegalArgumentException if it has more than {@value #MOST_BYTES} bytes, or an unpaired surrogate
     */
    public static LockData of(String text) {
        LockData data = of(text.getBytes(StandardCharsets.UTF_8));
        if (!data.text().equals(text)) {
            throw new IllegalArgumentException("The data of a lock contains an unpaired surrogate, which is not a"
                    + " character and cannot be stored. Give its bytes instead.");
        }
        return data;
    }

    /** A copy of the bytes. */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** The bytes as a text in UTF-8. Bytes that are not UTF-8 become the replacement character. */
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** How many bytes there are. */
    public int size() {
        return bytes.length;
    }

    /** Whether there is no data. */
    public boolean isEmpty() {
        return bytes.length == 0;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockData that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Shows only the size, because data may be personal. */
    @Override
    public String toString() {
        return "LockData[" + bytes.length + " bytes]";
    }
}
