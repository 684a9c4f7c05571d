// A bot for Code of Kutulu that keeps away from minions and close to other explorers.

import java.util.*;

class Player {
    static final int FAR = 6;  // a minion farther away than this is no concern
    static final int FEAR = 3; // how much more a step away from a minion counts than a step towards an explorer
    static final int[][] STEPS = {{0, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}};

    // Steps between a place and the nearest of others, as if there were no walls.
    static int nearest(int x, int y, List<int[]> others, int otherwise) {
        return others.stream().mapToInt(other -> Math.abs(x - other[0]) + Math.abs(y - other[1])).min().orElse(otherwise);
    }

    static String decide(String[] maze, int[] me, List<int[]> others, List<int[]> minions) {
        String best = "WAIT";
        int most = Integer.MIN_VALUE;
        for (int[] step : STEPS) {
            int x = me[0] + step[0], y = me[1] + step[1];
            if (y < 0 || y >= maze.length || x < 0 || x >= maze[0].length() || maze[y].charAt(x) == '#') continue;
            int danger = Math.min(FAR, nearest(x, y, minions, FAR));
            int worth = FEAR * danger - nearest(x, y, others, 0);
            if (worth > most) {
                most = worth;
                best = step == STEPS[0] ? "WAIT" : "MOVE " + x + " " + y;
            }
        }
        return best;
    }

    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        int width = in.nextInt(), height = in.nextInt();
        String[] maze = new String[height];
        for (int y = 0; y < height; y++) maze[y] = in.next();
        int lonely = in.nextInt(), group = in.nextInt(), spawnTime = in.nextInt(), lifeTime = in.nextInt();
        while (in.hasNext()) {
            List<int[]> explorers = new ArrayList<>(), minions = new ArrayList<>();
            for (int count = in.nextInt(); count > 0; count--) {
                String kind = in.next();
                int number = in.nextInt();
                int[] place = {in.nextInt(), in.nextInt()};
                int a = in.nextInt(), b = in.nextInt(), c = in.nextInt();
                if (kind.equals("EXPLORER")) explorers.add(place);
                if (kind.equals("WANDERER") || kind.equals("SLASHER")) minions.add(place);
            }
            System.out.println(decide(maze, explorers.get(0), explorers.subList(1, explorers.size()), minions));
        }
    }
}
