// A bot for Code of Kutulu that keeps away from minions and close to other explorers.

#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

const int FAR = 6;  // a minion farther away than this is no concern
const int FEAR = 3; // how much more a step away from a minion counts than a step towards an explorer

struct Place { int x, y; };

// Steps between two places, as if there were no walls.
int distance(Place one, Place other) { return abs(one.x - other.x) + abs(one.y - other.y); }

int nearest(Place place, const vector<Place> &others, int otherwise) {
    int least = otherwise;
    for (Place other : others) least = min(least, distance(place, other));
    return least;
}

string decide(const vector<string> &maze, Place me, const vector<Place> &others, const vector<Place> &minions) {
    const Place STEPS[] = {{0, 0}, {0, -1}, {1, 0}, {0, 1}, {-1, 0}};
    const int height = maze.size(), width = maze[0].size();
    Place best = me;
    int most = -1000000;
    for (Place step : STEPS) {
        Place place = {me.x + step.x, me.y + step.y};
        if (place.x < 0 || place.x >= width || place.y < 0 || place.y >= height || maze[place.y][place.x] == '#') continue;
        int company = others.empty() ? 0 : nearest(place, others, width + height);
        int worth = FEAR * nearest(place, minions, FAR) - company;
        if (worth > most) most = worth, best = place;
    }
    if (best.x == me.x && best.y == me.y) return "WAIT";
    return "MOVE " + to_string(best.x) + " " + to_string(best.y);
}

int main() {
    int width, height, lonely, group, spawnTime, lifeTime;
    cin >> width >> height;
    vector<string> maze(height);
    for (string &row : maze) cin >> row;
    cin >> lonely >> group >> spawnTime >> lifeTime;
    int count;
    while (cin >> count) { // until the game is over
        vector<Place> explorers, minions;
        for (int i = 0; i < count; i++) {
            string kind;
            int number, x, y, a, b, c;
            cin >> kind >> number >> x >> y >> a >> b >> c;
            if (kind == "EXPLORER") explorers.push_back({x, y});
            if (kind == "WANDERER" || kind == "SLASHER") minions.push_back({x, y});
        }
        vector<Place> others(explorers.begin() + 1, explorers.end());
        cout << decide(maze, explorers[0], others, minions) << endl;
    }
}
