static partial class Player {
    // The next line of the prompt; the program ends when there is none.
    static string Read() {
        string line = Console.ReadLine();
        if (line == null) Environment.Exit(0); // the game is over
        return line;
    }

    static string[] ReadMany(int count) {
        return Enumerable.Range(0, count).Select(_ => Read()).ToArray();
    }

    // The numbers of a line, or of some of its words.
    static int[] Numbers(params string[] words) {
        return words.SelectMany(word => word.Split(' ')).Select(int.Parse).ToArray();
    }
}
