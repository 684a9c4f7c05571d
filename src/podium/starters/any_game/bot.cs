// A bot that plays any legal move.

using System;
using System.Collections.Generic;
using System.Linq;

static partial class Player {
    static void Main() {
        var fields = new Dictionary<string, string[]>(); // of the state, by name; your seat among them
        var random = new Random();
        for (;;) {
            string[] words = Read().Split(' ');
            if (words[0] != "legal") {
                fields[words[0]] = words.Skip(1).ToArray();
                continue;
            }
            string[] legal = ReadMany(int.Parse(words[1]));
            Console.WriteLine(legal[random.Next(legal.Length)]);
        }
    }
}
