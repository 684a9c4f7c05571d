// A bot for Zuniq that draws any legal wall.

using System;
using System.Collections.Generic;
using System.Linq;

static partial class Player {
    // A board of 11 x 11 squares: dots where row and column are even, cells where both are odd, walls in between.
    const int SIZE = 11;
    static readonly int[][] STEPS = {new[] {0, 1}, new[] {1, 0}, new[] {0, -1}, new[] {-1, 0}};

    static readonly bool[,] drawn = new bool[SIZE, SIZE];
    static readonly HashSet<int> sizes = new HashSet<int>(); // of all zones

    static int[] Square(string name) {
        int row = name[0] - 'A', column = name[1] - '1';
        return name[2] == 'h' ? new[] {2 * row, 2 * column + 1} : new[] {2 * row + 1, 2 * column};
    }

    // The cells on both sides of a wall.
    static int[][] Sides(int[] wall) {
        int row = wall[0], column = wall[1];
        return row % 2 == 0
            ? new[] {new[] {row - 1, column}, new[] {row + 1, column}}
            : new[] {new[] {row, column - 1}, new[] {row, column + 1}};
    }

    static bool IsOutside(int row, int column) {
        return row < 0 || row >= SIZE || column < 0 || column >= SIZE;
    }

    // How many cells are closed off together with a cell; 0 if the outside can be reached.
    static int ZoneSize(int[] cell) {
        if (IsOutside(cell[0], cell[1])) return 0;
        var seen = new bool[SIZE, SIZE];
        var waiting = new Stack<int[]>(new[] {cell});
        seen[cell[0], cell[1]] = true;
        int size = 0;
        while (waiting.Count > 0) {
            int[] here = waiting.Pop();
            size++;
            foreach (int[] step in STEPS) {
                if (drawn[here[0] + step[0], here[1] + step[1]]) continue;
                int row = here[0] + 2 * step[0], column = here[1] + 2 * step[1];
                if (IsOutside(row, column)) return 0;
                if (!seen[row, column]) waiting.Push(new[] {row, column});
                seen[row, column] = true;
            }
        }
        return size;
    }

    static bool IsLegal(int[] wall) {
        if (drawn[wall[0], wall[1]] || ZoneSize(Sides(wall)[0]) > 0) return false;
        drawn[wall[0], wall[1]] = true;
        bool twice = Sides(wall).Any(side => sizes.Contains(ZoneSize(side)));
        drawn[wall[0], wall[1]] = false;
        return !twice;
    }

    static void Draw(int[] wall) {
        drawn[wall[0], wall[1]] = true;
        sizes.UnionWith(Sides(wall).Select(ZoneSize).Where(size => size > 0));
    }

    static IEnumerable<string> Names(string rows, string columns, string kind) {
        return rows.SelectMany(row => columns.Select(column => $"{row}{column}{kind}"));
    }

    static void Main() {
        var names = Names("ABCDEF", "12345", "h").Concat(Names("ABCDE", "123456", "v")).ToList();
        var random = new Random();
        for (string line = Read(); line != "Quit"; line = Read()) {
            if (line != "Start") Draw(Square(line));
            var legal = names.Where(name => IsLegal(Square(name))).ToList();
            string choice = legal[random.Next(legal.Count)];
            Draw(Square(choice));
            Console.WriteLine(choice);
        }
    }
}
