// A bot for Zuniq that draws any legal wall.

import java.util.*;

class Player {
    // A board of 11 x 11 squares: dots where row and column are even, cells where both are odd, walls in between.
    static final int SIZE = 11;
    static final int[][] STEPS = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};

    static final boolean[][] drawn = new boolean[SIZE][SIZE];
    static final Set<Integer> sizes = new HashSet<>(); // of all zones

    static int[] square(String name) {
        int row = name.charAt(0) - 'A', column = name.charAt(1) - '1';
        return name.charAt(2) == 'h' ? new int[]{2 * row, 2 * column + 1} : new int[]{2 * row + 1, 2 * column};
    }

    // The cells on both sides of a wall.
    static int[][] sides(int[] wall) {
        int row = wall[0], column = wall[1];
        return row % 2 == 0
            ? new int[][]{{row - 1, column}, {row + 1, column}}
            : new int[][]{{row, column - 1}, {row, column + 1}};
    }

    static boolean isOutside(int row, int column) {
        return row < 0 || row >= SIZE || column < 0 || column >= SIZE;
    }

    // How many cells are closed off together with a cell; 0 if the outside can be reached.
    static int zoneSize(int[] cell) {
        if (isOutside(cell[0], cell[1])) return 0;
        boolean[][] seen = new boolean[SIZE][SIZE];
        Deque<int[]> waiting = new ArrayDeque<>(List.of(cell));
        seen[cell[0]][cell[1]] = true;
        int size = 0;
        while (!waiting.isEmpty()) {
            int[] here = waiting.pop();
            size++;
            for (int[] step : STEPS) {
                if (drawn[here[0] + step[0]][here[1] + step[1]]) continue;
                int row = here[0] + 2 * step[0], column = here[1] + 2 * step[1];
                if (isOutside(row, column)) return 0;
                if (!seen[row][column]) waiting.push(new int[]{row, column});
                seen[row][column] = true;
            }
        }
        return size;
    }

    static boolean isLegal(int[] wall) {
        int[][] sides = sides(wall);
        if (drawn[wall[0]][wall[1]] || zoneSize(sides[0]) > 0) return false;
        drawn[wall[0]][wall[1]] = true;
        boolean twice = sizes.contains(zoneSize(sides[0])) || sizes.contains(zoneSize(sides[1]));
        drawn[wall[0]][wall[1]] = false;
        return !twice;
    }

    static void draw(int[] wall) {
        drawn[wall[0]][wall[1]] = true;
        for (int[] side : sides(wall)) {
            int size = zoneSize(side);
            if (size > 0) sizes.add(size);
        }
    }

    public static void main(String[] arguments) {
        List<String> names = new ArrayList<>();
        for (char row : "ABCDEF".toCharArray()) for (char column : "12345".toCharArray()) names.add(row + "" + column + "h");
        for (char row : "ABCDE".toCharArray()) for (char column : "123456".toCharArray()) names.add(row + "" + column + "v");
        Random random = new Random();
        Scanner in = new Scanner(System.in);
        while (in.hasNextLine()) {
            String line = in.nextLine().trim();
            if (line.equals("Quit")) break;
            if (!line.equals("Start")) draw(square(line));
            List<String> legal = names.stream().filter(name -> isLegal(square(name))).toList();
            String choice = legal.get(random.nextInt(legal.size()));
            draw(square(choice));
            System.out.println(choice);
        }
    }
}
