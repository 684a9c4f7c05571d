// A bot for Fall Challenge 2020 that brews the dearest potion it can, learns a few spells, and casts the best one.

using System;
using System.Collections.Generic;
using System.Linq;

static partial class Player {
    const int TIERS = 4, CAPACITY = 10, ENOUGH_SPELLS = 8;

    class Action {
        public readonly string Number, Kind;
        public readonly int[] Deltas;
        public readonly int Price, Place, Tax;
        public readonly bool Castable, Repeatable;

        public Action(string line) {
            string[] words = line.Split(' ');
            int[] numbers = Numbers(words.Skip(2).ToArray());
            Number = words[0];
            Kind = words[1];
            Deltas = numbers.Take(TIERS).ToArray();
            Price = numbers[TIERS];
            Place = numbers[TIERS + 1];
            Tax = numbers[TIERS + 2];
            Castable = numbers[TIERS + 3] == 1;
            Repeatable = numbers[TIERS + 4] == 1;
        }

        // Whether there is enough of everything, and room.
        public bool IsPossible(int[] inventory) {
            int[] after = inventory.Zip(Deltas, (have, delta) => have + delta).ToArray();
            return after.Min() >= 0 && after.Sum() <= CAPACITY;
        }

        // What casting it is worth, where an ingredient of tier t is worth t + 1.
        public int Gain() {
            return Deltas.Select((delta, tier) => (tier + 1) * delta).Sum();
        }
    }

    static string Decide(List<Action> actions, int[] inventory) {
        var order = actions.Where(action => action.Kind == "BREW" && action.IsPossible(inventory))
            .OrderByDescending(action => action.Price).FirstOrDefault();
        if (order != null) return "BREW " + order.Number;
        var own = actions.Where(action => action.Kind == "CAST").ToList();
        var lesson = actions.FirstOrDefault(action => action.Kind == "LEARN" && action.Place <= inventory[0]);
        if (lesson != null && own.Count < ENOUGH_SPELLS) return "LEARN " + lesson.Number;
        var spell = own.Where(action => action.Castable && action.IsPossible(inventory) && action.Gain() > 0)
            .OrderByDescending(action => action.Gain()).FirstOrDefault();
        return spell != null ? "CAST " + spell.Number : "REST";
    }

    static void Main() {
        for (;;) {
            List<Action> actions = ReadMany(int.Parse(Read())).Select(line => new Action(line)).ToList();
            int[][] players = {Numbers(Read()), Numbers(Read())}; // four ingredients, then rupees: you, then the other
            Console.WriteLine(Decide(actions, players[0].Take(TIERS).ToArray()));
        }
    }
}
