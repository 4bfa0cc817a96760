package io.dynamolock.chaos;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A link from a network namespace of the worker's own: the kernel drops its packets, so that what is under way is sent
 * again when the cut is healed. Slowness and resets are the proxy's, at the other end of the link.
 */
final class NamespaceLink implements Link {

    private static final String MARK = "dlchaos-";
    private static final Pattern NAMESPACE = Pattern.compile("(?m)^(" + MARK + "(\\d+)-\\d+)");

    private final String namespace;
    private final FaultyProxy proxy;
    private final Thread lastResort;
    private boolean cut;

    /** @param number from 0 to 7, different for each link of this process */
    NamespaceLink(int number, InetSocketAddress database) {
        long pid = ProcessHandle.current().pid();
        namespace = MARK + pid + "-" + number;
        lastResort = new Thread(() -> Command.tried("ip", "netns", "delete", namespace));
        Runtime.getRuntime().addShutdownHook(lastResort);
        String here = "dl" + pid + "h" + number;
        String there = "dl" + pid + "w" + number;
        long network = (pid * 8 + number) % (1 << 20) * 4;
        Command.run("ip", "netns", "add", namespace);
        Command.run("ip", "link", "add", here, "type", "veth", "peer", "name", there, "netns", namespace);
        Command.run("ip", "address", "add", address(network + 1) + "/30", "dev", here);
        Command.run("ip", "link", "set", here, "up");
        inside("ip", "address", "add", address(network + 2) + "/30", "dev", there);
        inside("ip", "link", "set", there, "up");
        inside("ip", "link", "set", "lo", "up");
        try {
            proxy = new FaultyProxy(InetAddress.getByName(address(network + 1)), database);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Counted from 10.64.0.0 on. */
    private static String address(long number) {
        return "10." + (64 + (number >> 16)) + "." + (number >> 8 & 255) + "." + (number & 255);
    }

    /** Why namespaces cannot be used here; empty if they can. */
    static String whyNot() {
        String probe = MARK + ProcessHandle.current().pid() + "-9";
        Command.Result added = Command.tried("ip", "netns", "add", probe);
        if (added.exitCode() != 0) {
            return added.output().strip();
        }
        try {
            Command.Result dropped = Command.tried(
                    "ip",
                    "netns",
                    "exec",
                    probe,
                    "iptables",
                    "-w",
                    "-A",
                    "INPUT",
                    "-m",
                    "statistic",
                    "--mode",
                    "random",
                    "--probability",
                    "0.3",
                    "-j",
                    "DROP");
            return dropped.exitCode() == 0 ? "" : dropped.output().strip();
        } finally {
            Command.tried("ip", "netns", "delete", probe);
        }
    }

    /** Removes what runs left behind that were killed themselves. */
    static void deleteLeftovers() {
        Matcher found = NAMESPACE.matcher(Command.tried("ip", "netns", "list").output());
        while (found.find()) {
            if (ProcessHandle.of(Long.parseLong(found.group(2))).isEmpty()) {
                for (String pid : Command.tried("ip", "netns", "pids", found.group(1))
                        .output()
                        .split("\\s+")) {
                    if (pid.matches("\\d+")) {
                        Command.tried("kill", "-KILL", pid);
                    }
                }
                Command.tried("ip", "netns", "delete", found.group(1));
            }
        }
    }

    private void inside(String... command) {
        List<String> all = new ArrayList<>(prefix());
        all.addAll(List.of(command));
        Command.run(all.toArray(String[]::new));
    }

    @Override
    public List<String> prefix() {
        return List.of("ip", "netns", "exec", namespace);
    }

    @Override
    public URI endpoint() {
        InetSocketAddress address = proxy.address();
        return URI.create("http://" + address.getAddress().getHostAddress() + ":" + address.getPort());
    }

    @Override
    public synchronized void cut(Cut what) {
        heal();
        cut = true;
        switch (what) {
            case BOTH_WAYS -> {
                drop("INPUT");
                drop("OUTPUT");
            }
            case REQUESTS -> drop("OUTPUT");
            case ANSWERS -> drop("INPUT");
            case SOME -> {
                drop("INPUT", "-m", "statistic", "--mode", "random", "--probability", "0.3");
                drop("OUTPUT", "-m", "statistic", "--mode", "random", "--probability", "0.3");
            }
        }
    }

    private void drop(String chain, String... match) {
        List<String> rule = new ArrayList<>(List.of("iptables", "-w", "-A", chain));
        rule.addAll(List.of(match));
        rule.addAll(List.of("-j", "DROP"));
        inside(rule.toArray(String[]::new));
    }

    @Override
    public void slow(int millis) {
        proxy.slow(millis);
    }

    @Override
    public void reset() {
        proxy.reset();
    }

    @Override
    public synchronized void heal() {
        proxy.slow(0);
        if (cut) {
            inside("iptables", "-w", "-F");
            cut = false;
        }
    }

    @Override
    public void close() {
        proxy.close();
        Command.run("ip", "netns", "delete", namespace);
        Runtime.getRuntime().removeShutdownHook(lastResort);
    }
}
