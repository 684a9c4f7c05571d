// A bot for Code 4 Life that fetches samples of rank 1 and delivers one after the other.

using System;
using System.Collections.Generic;
using System.Linq;

static partial class Player {
    const string TYPES = "ABCDE";
    const int MOST_MOLECULES = 10, MOST_SAMPLES = 3, UNKNOWN = -1;

    class Robot {
        public readonly string Target;
        public readonly int Eta, Score;
        public readonly int[] Storage, Expertise;

        public Robot(string line) {
            string[] words = line.Split(' ');
            int[] numbers = Numbers(words.Skip(1).ToArray());
            Target = words[0];
            Eta = numbers[0];
            Score = numbers[1];
            Storage = numbers.Skip(2).Take(5).ToArray();
            Expertise = numbers.Skip(7).ToArray();
        }

        // The action if the robot stands at the module, otherwise go there.
        public string At(string module, string action) {
            return Target == module ? action : "GOTO " + module;
        }
    }

    class Sample {
        public readonly string Number, Gain;
        public readonly int Carrier, Rank, Health;
        public readonly int[] Costs; // UNKNOWN until it is diagnosed

        public Sample(string line) {
            string[] words = line.Split(' ');
            Number = words[0];
            Carrier = int.Parse(words[1]);
            Rank = int.Parse(words[2]);
            Gain = words[3];
            Health = int.Parse(words[4]);
            Costs = Numbers(words.Skip(5).ToArray());
        }

        // How many molecules of each type a robot still needs for it.
        public int[] Missing(Robot robot) {
            return Costs.Select((cost, type) => Math.Max(0, cost - robot.Expertise[type] - robot.Storage[type])).ToArray();
        }
    }

    static string Decide(Robot me, int[] available, IEnumerable<Sample> samples) {
        if (me.Eta > 0) return "WAIT";
        var mine = samples.Where(sample => sample.Carrier == 0).OrderBy(sample => sample.Missing(me).Sum()).ToList();
        if (mine.Count == 0 || me.Target == "SAMPLES" && mine.Count < MOST_SAMPLES) return me.At("SAMPLES", "CONNECT 1");
        var unknown = mine.FirstOrDefault(sample => sample.Costs[0] == UNKNOWN);
        if (unknown != null) return me.At("DIAGNOSIS", "CONNECT " + unknown.Number);
        if (mine[0].Missing(me).Sum() == 0) return me.At("LABORATORY", "CONNECT " + mine[0].Number);
        foreach (Sample sample in mine) {
            int[] missing = sample.Missing(me);
            bool there = missing.Zip(available, (need, left) => need <= left).All(enough => enough);
            if (there && me.Storage.Sum() + missing.Sum() <= MOST_MOLECULES)
                return me.At("MOLECULES", "CONNECT " + TYPES[Array.FindIndex(missing, need => need > 0)]);
        }
        return me.At("DIAGNOSIS", "CONNECT " + mine[0].Number); // into the cloud
    }

    static void Main() {
        ReadMany(int.Parse(Read())); // the science projects
        for (;;) {
            Robot[] robots = {new Robot(Read()), new Robot(Read())}; // you, then the other
            int[] available = Numbers(Read());
            Sample[] samples = ReadMany(int.Parse(Read())).Select(line => new Sample(line)).ToArray();
            Console.WriteLine(Decide(robots[0], available, samples));
        }
    }
}
