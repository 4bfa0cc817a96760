package io.dynamolock.sample.locks;

import io.dynamolock.LockRegistry;
import io.dynamolock.LockSnapshot;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Who holds a lock and who waits for it. Only reads: a request for it does not join the queue. */
@RestController
class LockController {

    private final LockRegistry locks;

    LockController(LockRegistry locks) {
        this.locks = locks;
    }

    @GetMapping("/locks/{key}")
    LockSnapshot lock(@PathVariable String key) {
        return locks.admin().inspect(key);
    }
}
