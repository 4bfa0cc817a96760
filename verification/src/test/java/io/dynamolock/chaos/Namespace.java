package io.dynamolock.chaos;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A network namespace that is linked to this one, and in which the kernel drops packets. */
final class Namespace implements AutoCloseable {

    private static final String MARK = "dlchaos-";
    private static final Pattern NAME = Pattern.compile("(?m)^(" + MARK + "(\\d+)-\\d+)");
    private static final String A_THIRD = " -m statistic --mode random --probability 0.3";

    private final String name;
    private final String outside;
    private final Thread lastResort;
    private boolean drops;

    /** @param number from 0 to 7, different for each one of this process */
    Namespace(int number) {
        long pid = ProcessHandle.current().pid();
        name = MARK + pid + "-" + number;
        lastResort = new Thread(() -> Command.tried("ip netns delete " + name));
        Runtime.getRuntime().addShutdownHook(lastResort);
        String here = "dl" + pid + "h" + number;
        String there = "dl" + pid + "w" + number;
        long network = (pid * 8 + number) % (1 << 20) * 4;
        outside = address(network + 1);
        Command.run("ip netns add " + name);
        Command.run("ip link add " + here + " type veth peer name " + there + " netns " + name);
        Command.run("ip address add " + outside + "/30 dev " + here);
        Command.run("ip link set " + here + " up");
        inside("ip address add " + address(network + 2) + "/30 dev " + there);
        inside("ip link set " + there + " up");
        inside("ip link set lo up");
    }

    /** Counted from 10.64.0.0 on. */
    private static String address(long number) {
        return "10." + (64 + (number >> 16)) + "." + (number >> 8 & 255) + "." + (number & 255);
    }

    /** Whether they work here, unless {@code -Dchaos.network=proxy} forbids it; says so, and why not. */
    static boolean isUsable() {
        String whyNot =
                System.getProperty("chaos.network", "").equalsIgnoreCase("proxy") ? "chaos.network says so" : whyNot();
        if (!whyNot.isEmpty()) {
            System.out.println("Chaos: a TCP proxy stands for the network; no network namespaces here: " + whyNot);
            return false;
        }
        deleteLeftovers();
        System.out.println("Chaos: each worker has a network namespace of its own, and a TCP proxy before it");
        return true;
    }

    private static String whyNot() {
        String probe = MARK + ProcessHandle.current().pid() + "-9";
        Command.Result added = Command.tried("ip netns add " + probe);
        if (added.exitCode() != 0) {
            return added.output().strip();
        }
        Command.Result dropped = Command.tried("ip netns exec " + probe + " " + dropping("INPUT", A_THIRD));
        Command.tried("ip netns delete " + probe);
        return dropped.exitCode() == 0 ? "" : dropped.output().strip();
    }

    /** Removes what runs left behind that were killed themselves. */
    private static void deleteLeftovers() {
        Matcher found = NAME.matcher(Command.tried("ip netns list").output());
        while (found.find()) {
            if (ProcessHandle.of(Long.parseLong(found.group(2))).isEmpty()) {
                String pids = Command.tried("ip netns pids " + found.group(1)).output();
                Pattern.compile("\\d+")
                        .matcher(pids)
                        .results()
                        .forEach(pid -> Command.tried("kill -KILL " + pid.group()));
                Command.tried("ip netns delete " + found.group(1));
            }
        }
    }

    /** This side's address on the link. */
    InetAddress outside() {
        try {
            return InetAddress.getByName(outside);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** What stands before a command that is to run in it. */
    List<String> prefix() {
        return List.of("ip", "netns", "exec", name);
    }

    void drop(boolean outgoing, boolean incoming, boolean someOnly) {
        drops = true;
        String which = someOnly ? A_THIRD : "";
        if (outgoing) {
            inside(dropping("OUTPUT", which));
        }
        if (incoming) {
            inside(dropping("INPUT", which));
        }
    }

    void dropNothing() {
        if (drops) {
            inside("iptables -w -F");
            drops = false;
        }
    }

    private static String dropping(String chain, String which) {
        return "iptables -w -A " + chain + which + " -j DROP";
    }

    private void inside(String command) {
        Command.run(String.join(" ", prefix()) + " " + command);
    }

    @Override
    public void close() {
        Command.run("ip netns delete " + name);
        Runtime.getRuntime().removeShutdownHook(lastResort);
    }
}
