// A bot for Wondev Woman that steps as high as it can, and builds what it can climb.

import java.util.*;

class Player {
    static final Map<String, int[]> STEPS = Map.of(
        "N", new int[]{0, -1}, "NE", new int[]{1, -1}, "E", new int[]{1, 0}, "SE", new int[]{1, 1},
        "S", new int[]{0, 1}, "SW", new int[]{-1, 1}, "W", new int[]{-1, 0}, "NW", new int[]{-1, -1});
    static final int FULL = 4, LAST_CHOICE = -100;

    // How much an action is liked.
    static int worth(String action, String[] grid, int[][] units) {
        String[] words = action.split(" ");
        if (!words[0].equals("MOVE&BUILD")) return LAST_CHOICE;
        int[] unit = units[Integer.parseInt(words[1])], first = STEPS.get(words[2]), second = STEPS.get(words[3]);
        int x = unit[0] + first[0], y = unit[1] + first[1];
        int height = grid[y].charAt(x) - '0';
        int built = grid[y + second[1]].charAt(x + second[0]) - '0' + 1;
        boolean climbable = built < FULL && built <= height + 1;
        return 10 * height + (climbable ? built : -1);
    }

    static int[][] readPlaces(Scanner in, int count) {
        int[][] places = new int[count][];
        for (int i = 0; i < count; i++) places[i] = new int[]{in.nextInt(), in.nextInt()};
        return places;
    }

    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        int size = in.nextInt(), count = in.nextInt();
        while (in.hasNext()) {
            String[] grid = new String[size];
            for (int y = 0; y < size; y++) grid[y] = in.next();
            int[][] units = readPlaces(in, count), enemies = readPlaces(in, count);
            int legal = in.nextInt();
            in.nextLine();
            String best = "ACCEPT-DEFEAT";
            int most = LAST_CHOICE - 1;
            for (int i = 0; i < legal; i++) {
                String action = in.nextLine();
                int value = worth(action, grid, units);
                if (value > most) {
                    most = value;
                    best = action;
                }
            }
            System.out.println(best);
        }
    }
}
