// A bot for Code of Kutulu that keeps away from minions and close to other explorers.

using System;
using System.Collections.Generic;
using System.Linq;

static partial class Player {
    const int FAR = 6;  // a minion farther away than this is no concern
    const int FEAR = 3; // how much more a step away from a minion counts than a step towards an explorer
    static readonly int[][] STEPS = {new[] {0, 0}, new[] {0, -1}, new[] {1, 0}, new[] {0, 1}, new[] {-1, 0}};

    // Steps between a place and the nearest of others, as if there were no walls.
    static int Nearest(int x, int y, IEnumerable<int[]> others, int otherwise) {
        return others.Select(other => Math.Abs(x - other[0]) + Math.Abs(y - other[1])).DefaultIfEmpty(otherwise).Min();
    }

    static string Decide(string[] maze, int[] me, IEnumerable<int[]> others, IEnumerable<int[]> minions) {
        string best = "WAIT";
        int most = int.MinValue;
        foreach (int[] step in STEPS) {
            int x = me[0] + step[0], y = me[1] + step[1];
            if (y < 0 || y >= maze.Length || x < 0 || x >= maze[0].Length || maze[y][x] == '#') continue;
            int danger = Math.Min(FAR, Nearest(x, y, minions, FAR));
            int worth = FEAR * danger - Nearest(x, y, others, 0);
            if (worth > most) {
                most = worth;
                best = step == STEPS[0] ? "WAIT" : $"MOVE {x} {y}";
            }
        }
        return best;
    }

    static void Main() {
        Read(); // the width
        string[] maze = ReadMany(int.Parse(Read()));
        Read(); // the four settings
        for (;;) {
            List<int[]> explorers = new List<int[]>(), minions = new List<int[]>();
            foreach (string line in ReadMany(int.Parse(Read()))) {
                string[] words = line.Split(' ');
                int[] place = Numbers(words[2], words[3]);
                if (words[0] == "EXPLORER") explorers.Add(place);
                if (words[0] == "WANDERER" || words[0] == "SLASHER") minions.Add(place);
            }
            Console.WriteLine(Decide(maze, explorers[0], explorers.Skip(1), minions));
        }
    }
}
