package io.dynamolock.spring.autoconfigure;

import io.dynamolock.LockTable;
import io.dynamolock.LockTableException;
import io.dynamolock.LockTableException.Problem;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Finds this problem whenever it is checked, and the other when it is to be created. */
class TestTable implements LockTable {

    final List<String> calls = new CopyOnWriteArrayList<>();
    volatile @Nullable Problem found;
    private final @Nullable Problem atCreation;

    TestTable(@Nullable Problem found, @Nullable Problem atCreation) {
        this.found = found;
        this.atCreation = atCreation;
    }

    private void called(String what, @Nullable Problem problem) {
        calls.add(what);
        if (problem != null) {
            throw new LockTableException("locks", problem, "It is " + problem + ".", null);
        }
    }

    @Override
    public String name() {
        return "locks";
    }

    @Override
    public void create() {
        called("create", atCreation);
    }

    @Override
    public void createIfMissing() {
        called("createIfMissing", atCreation);
    }

    @Override
    public void createProvisioned(long readUnits, long writeUnits) {
        called("createProvisioned", null);
    }

    @Override
    public void check() {
        called("check", found);
    }

    @Override
    public void delete() {
        called("delete", null);
    }
}
