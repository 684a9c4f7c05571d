// A bot for Code 4 Life that fetches samples of rank 1 and delivers one after the other.

import java.util.*;
import java.util.stream.IntStream;

class Player {
    static final int MOST_MOLECULES = 10, MOST_SAMPLES = 3, UNKNOWN = -1;

    static int[] readMolecules(Scanner in) {
        return IntStream.range(0, 5).map(type -> in.nextInt()).toArray();
    }

    static int total(int[] molecules) {
        return IntStream.of(molecules).sum();
    }

    static class Robot {
        final String target;
        final int eta, score;
        final int[] storage, expertise;

        Robot(Scanner in) {
            target = in.next();
            eta = in.nextInt();
            score = in.nextInt();
            storage = readMolecules(in);
            expertise = readMolecules(in);
        }

        // The action if the robot stands at the module, otherwise go there.
        String at(String module, String action) {
            return target.equals(module) ? action : "GOTO " + module;
        }
    }

    static class Sample {
        final int number, carrier, rank, health;
        final String gain;
        final int[] costs; // UNKNOWN until it is diagnosed

        Sample(Scanner in) {
            number = in.nextInt();
            carrier = in.nextInt();
            rank = in.nextInt();
            gain = in.next();
            health = in.nextInt();
            costs = readMolecules(in);
        }

        // How many molecules of each type a robot still needs for it.
        int[] missing(Robot robot) {
            return IntStream.range(0, 5).map(t -> Math.max(0, costs[t] - robot.expertise[t] - robot.storage[t])).toArray();
        }
    }

    static String decide(Robot me, int[] available, List<Sample> samples) {
        if (me.eta > 0) return "WAIT";
        List<Sample> mine = new ArrayList<>(samples.stream().filter(sample -> sample.carrier == 0).toList());
        if (mine.isEmpty() || me.target.equals("SAMPLES") && mine.size() < MOST_SAMPLES) return me.at("SAMPLES", "CONNECT 1");
        for (Sample sample : mine)
            if (sample.costs[0] == UNKNOWN) return me.at("DIAGNOSIS", "CONNECT " + sample.number);
        mine.sort(Comparator.comparingInt(sample -> total(sample.missing(me))));
        if (total(mine.get(0).missing(me)) == 0) return me.at("LABORATORY", "CONNECT " + mine.get(0).number);
        for (Sample sample : mine) {
            int[] missing = sample.missing(me);
            boolean there = IntStream.range(0, 5).allMatch(t -> missing[t] <= available[t]);
            int wanted = IntStream.range(0, 5).filter(t -> missing[t] > 0).findFirst().getAsInt();
            if (there && total(me.storage) + total(missing) <= MOST_MOLECULES)
                return me.at("MOLECULES", "CONNECT " + "ABCDE".charAt(wanted));
        }
        return me.at("DIAGNOSIS", "CONNECT " + mine.get(0).number); // into the cloud
    }

    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        for (int projects = in.nextInt(); projects > 0; projects--) readMolecules(in);
        while (in.hasNext()) {
            Robot me = new Robot(in), other = new Robot(in);
            int[] available = readMolecules(in);
            List<Sample> samples = new ArrayList<>();
            for (int count = in.nextInt(); count > 0; count--) samples.add(new Sample(in));
            System.out.println(decide(me, available, samples));
        }
    }
}
