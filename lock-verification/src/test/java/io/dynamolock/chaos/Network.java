package io.dynamolock.chaos;

import java.net.InetSocketAddress;

/** How this machine keeps the workers' networks apart. */
enum Network {
    NAMESPACES,
    PROXY;

    private static final String PROPERTY = "chaos.network";

    /** Namespaces where they work, unless {@code -Dchaos.network=proxy} says otherwise; says which, and why. */
    static Network ofThisMachine() {
        if (System.getProperty(PROPERTY, "").equalsIgnoreCase(PROXY.name())) {
            System.out.println("Chaos: a TCP proxy stands for the network, as " + PROPERTY + " says");
            return PROXY;
        }
        String whyNot = NamespaceLink.whyNot();
        if (whyNot.isEmpty()) {
            NamespaceLink.deleteLeftovers();
            System.out.println("Chaos: each worker has a network namespace of its own, and a TCP proxy before it");
            return NAMESPACES;
        }
        System.out.println("Chaos: a TCP proxy stands for the network; no network namespaces here: " + whyNot);
        return PROXY;
    }

    Link link(int number, InetSocketAddress database) {
        return this == NAMESPACES ? new NamespaceLink(number, database) : new ProxyLink(database);
    }
}
