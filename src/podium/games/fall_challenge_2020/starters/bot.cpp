// A bot for Fall Challenge 2020 that brews the dearest potion it can, learns a few spells, and casts the best one.

#include <iostream>
#include <string>
#include <vector>
using namespace std;

const int TIERS = 4, CAPACITY = 10, ENOUGH_SPELLS = 8;

struct Action {
    int number, deltas[TIERS], price, place, tax, castable, repeatable;
    string kind;

    // Whether there is enough of everything, and room.
    bool isPossible(const int *inventory) const {
        int total = 0;
        for (int tier = 0; tier < TIERS; tier++) {
            if (inventory[tier] + deltas[tier] < 0) return false;
            total += inventory[tier] + deltas[tier];
        }
        return total <= CAPACITY;
    }

    // What casting it is worth, where an ingredient of tier t is worth t + 1.
    int gain() const {
        int sum = 0;
        for (int tier = 0; tier < TIERS; tier++) sum += (tier + 1) * deltas[tier];
        return sum;
    }
};

string decide(const vector<Action> &actions, const int *inventory) {
    const Action *order = nullptr, *lesson = nullptr, *spell = nullptr;
    int own = 0;
    for (const Action &action : actions) {
        if (action.kind == "BREW" && action.isPossible(inventory) && (!order || action.price > order->price))
            order = &action;
        if (action.kind == "LEARN" && action.place <= inventory[0] && !lesson) lesson = &action;
        if (action.kind != "CAST") continue;
        own++;
        if (action.castable && action.isPossible(inventory) && action.gain() > (spell ? spell->gain() : 0))
            spell = &action;
    }
    if (order) return "BREW " + to_string(order->number);
    if (lesson && own < ENOUGH_SPELLS) return "LEARN " + to_string(lesson->number);
    if (spell) return "CAST " + to_string(spell->number);
    return "REST";
}

int main() {
    int count;
    while (cin >> count) { // until the game is over
        vector<Action> actions(count);
        for (Action &action : actions) {
            cin >> action.number >> action.kind;
            for (int &delta : action.deltas) cin >> delta;
            cin >> action.price >> action.place >> action.tax >> action.castable >> action.repeatable;
        }
        int inventories[2][TIERS], rupees[2];
        for (int player = 0; player < 2; player++) {
            for (int &ingredients : inventories[player]) cin >> ingredients;
            cin >> rupees[player];
        }
        cout << decide(actions, inventories[0]) << endl;
    }
}
