package io.dynamolock.simulation;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * Loads this project's classes once more and changes some of them on the way, so that a simulation can run on other code
 * than everybody else. All other classes come from its parent.
 */
public final class ReloadedClasses extends ClassLoader {

    /** What to load instead of a class. */
    @FunctionalInterface
    public interface Change {

        /** @return the bytes of the class as it shall be, mostly {@code original} */
        byte[] instead(String name, byte[] original);
    }

    private static final String ROOM = "io.dynamolock.";

    private final Change change;

    public ReloadedClasses(Change change) {
        super(ReloadedClasses.class.getClassLoader());
        this.change = change;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith(ROOM)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = change.instead(name, original(name));
        return defineClass(name, bytes, 0, bytes.length);
    }

    private byte[] original(String name) throws ClassNotFoundException {
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
