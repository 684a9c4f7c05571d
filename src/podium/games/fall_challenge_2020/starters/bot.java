// A bot for Fall Challenge 2020 that brews the dearest potion it can, learns a few spells, and casts the best one.

import java.util.*;

class Player {
    static final int TIERS = 4, CAPACITY = 10, ENOUGH_SPELLS = 8;

    static class Action {
        final int number, price, place, tax;
        final int[] deltas = new int[TIERS];
        final String kind;
        final boolean castable, repeatable;

        Action(Scanner in) {
            number = in.nextInt();
            kind = in.next();
            for (int tier = 0; tier < TIERS; tier++) deltas[tier] = in.nextInt();
            price = in.nextInt();
            place = in.nextInt();
            tax = in.nextInt();
            castable = in.nextInt() == 1;
            repeatable = in.nextInt() == 1;
        }

        // Whether there is enough of everything, and room.
        boolean isPossible(int[] inventory) {
            int total = 0;
            for (int tier = 0; tier < TIERS; tier++) {
                if (inventory[tier] + deltas[tier] < 0) return false;
                total += inventory[tier] + deltas[tier];
            }
            return total <= CAPACITY;
        }

        // What casting it is worth, where an ingredient of tier t is worth t + 1.
        int gain() {
            int sum = 0;
            for (int tier = 0; tier < TIERS; tier++) sum += (tier + 1) * deltas[tier];
            return sum;
        }
    }

    static String decide(List<Action> actions, int[] inventory) {
        Action order = null, lesson = null, spell = null;
        int own = 0;
        for (Action action : actions) {
            boolean possible = action.isPossible(inventory);
            switch (action.kind) {
                case "BREW" -> {
                    if (possible && (order == null || action.price > order.price)) order = action;
                }
                case "LEARN" -> {
                    if (action.place <= inventory[0] && lesson == null) lesson = action;
                }
                case "CAST" -> {
                    own++;
                    int least = spell == null ? 0 : spell.gain();
                    if (action.castable && possible && action.gain() > least) spell = action;
                }
            }
        }
        if (order != null) return "BREW " + order.number;
        if (lesson != null && own < ENOUGH_SPELLS) return "LEARN " + lesson.number;
        if (spell != null) return "CAST " + spell.number;
        return "REST";
    }

    public static void main(String[] arguments) {
        Scanner in = new Scanner(System.in);
        while (in.hasNext()) {
            List<Action> actions = new ArrayList<>();
            for (int count = in.nextInt(); count > 0; count--) actions.add(new Action(in));
            int[][] inventories = new int[2][TIERS];
            int[] rupees = new int[2];
            for (int player = 0; player < 2; player++) {
                for (int tier = 0; tier < TIERS; tier++) inventories[player][tier] = in.nextInt();
                rupees[player] = in.nextInt();
            }
            System.out.println(decide(actions, inventories[0]));
        }
    }
}
