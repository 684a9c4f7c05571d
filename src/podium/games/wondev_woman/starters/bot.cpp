// A bot for Wondev Woman that steps as high as it can, and builds what it can climb.

#include <iostream>
#include <map>
#include <string>
#include <vector>
using namespace std;

struct Place { int x, y; };

map<string, Place> STEPS = {{"N", {0, -1}},  {"E", {1, 0}},  {"S", {0, 1}},   {"W", {-1, 0}},
                            {"NE", {1, -1}}, {"SE", {1, 1}}, {"SW", {-1, 1}}, {"NW", {-1, -1}}};
const int FULL = 4, LAST_CHOICE = -100;

struct Action {
    string kind;
    int unit;
    string first, second;
};

int worth(const Action &action, const vector<string> &grid, const vector<Place> &units) {
    if (action.kind != "MOVE&BUILD") return LAST_CHOICE;
    Place first = STEPS[action.first], second = STEPS[action.second];
    int x = units[action.unit].x + first.x, y = units[action.unit].y + first.y;
    int height = grid[y][x] - '0';
    int built = grid[y + second.y][x + second.x] - '0' + 1;
    bool climbable = built < FULL && built <= height + 1;
    return 10 * height + (climbable ? built : -1);
}

int main() {
    int size, count;
    cin >> size >> count;
    while (true) {
        vector<string> grid(size);
        for (auto &row : grid) cin >> row;
        vector<Place> units(count), enemies(count);
        for (auto &unit : units) cin >> unit.x >> unit.y;
        for (auto &enemy : enemies) cin >> enemy.x >> enemy.y;
        int legal;
        if (!(cin >> legal)) break; // the game is over
        Action best;
        int most = LAST_CHOICE - 1;
        for (int i = 0; i < legal; i++) {
            Action action;
            cin >> action.kind >> action.unit >> action.first >> action.second;
            int value = worth(action, grid, units);
            if (value > most) most = value, best = action;
        }
        if (legal == 0) cout << "ACCEPT-DEFEAT" << endl;
        else cout << best.kind << " " << best.unit << " " << best.first << " " << best.second << endl;
    }
}
