// A bot for Wondev Woman that steps as high as it can, and builds what it can climb.

using System;
using System.Collections.Generic;
using System.Linq;

static partial class Player {
    static readonly Dictionary<string, int[]> STEPS = new Dictionary<string, int[]> {
        {"N", new[] {0, -1}}, {"NE", new[] {1, -1}}, {"E", new[] {1, 0}}, {"SE", new[] {1, 1}},
        {"S", new[] {0, 1}}, {"SW", new[] {-1, 1}}, {"W", new[] {-1, 0}}, {"NW", new[] {-1, -1}},
    };
    const int FULL = 4, LAST_CHOICE = -100;

    // How much an action is liked.
    static int Worth(string action, string[] grid, int[][] units) {
        string[] words = action.Split(' ');
        if (words[0] != "MOVE&BUILD") return LAST_CHOICE;
        int[] unit = units[int.Parse(words[1])], first = STEPS[words[2]], second = STEPS[words[3]];
        int x = unit[0] + first[0], y = unit[1] + first[1];
        int height = grid[y][x] - '0';
        int built = grid[y + second[1]][x + second[0]] - '0' + 1;
        bool climbable = built < FULL && built <= height + 1;
        return 10 * height + (climbable ? built : -1);
    }

    static int[][] ReadPlaces(int count) {
        return ReadMany(count).Select(line => Numbers(line)).ToArray();
    }

    static void Main() {
        int size = int.Parse(Read()), count = int.Parse(Read());
        for (;;) {
            string[] grid = ReadMany(size);
            int[][] units = ReadPlaces(count);
            ReadPlaces(count); // the enemy's units
            string best = "ACCEPT-DEFEAT";
            int most = LAST_CHOICE - 1;
            foreach (string action in ReadMany(int.Parse(Read()))) {
                int value = Worth(action, grid, units);
                if (value > most) {
                    most = value;
                    best = action;
                }
            }
            Console.WriteLine(best);
        }
    }
}
