// A bot for Code 4 Life that fetches samples of rank 1 and delivers one after the other.

#include <algorithm>
#include <array>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>
using namespace std;

const int MOST_MOLECULES = 10, MOST_SAMPLES = 3, UNKNOWN = -1;

using Molecules = array<int, 5>; // of the types A to E

int total(const Molecules &molecules) { return accumulate(molecules.begin(), molecules.end(), 0); }

istream &operator>>(istream &in, Molecules &molecules) {
    for (int &count : molecules) in >> count;
    return in;
}

struct Robot {
    string target;
    int eta, score;
    Molecules storage, expertise;
};

struct Sample {
    int number, carrier;
    Molecules costs; // UNKNOWN until it is diagnosed

    // How many molecules of each type a robot still needs for it.
    Molecules missing(const Robot &robot) const {
        Molecules need;
        for (int t = 0; t < 5; t++) need[t] = max(0, costs[t] - robot.expertise[t] - robot.storage[t]);
        return need;
    }
};

// The action if the robot stands at the module, otherwise go there.
string at(const Robot &robot, const string &module, const string &action) {
    return robot.target == module ? action : "GOTO " + module;
}

string decide(const Robot &me, const Molecules &available, const vector<Sample> &samples) {
    if (me.eta > 0) return "WAIT";
    vector<Sample> mine;
    for (const Sample &sample : samples)
        if (sample.carrier == 0) mine.push_back(sample);
    if (mine.empty() || (me.target == "SAMPLES" && mine.size() < MOST_SAMPLES)) return at(me, "SAMPLES", "CONNECT 1");
    for (const Sample &sample : mine)
        if (sample.costs[0] == UNKNOWN) return at(me, "DIAGNOSIS", "CONNECT " + to_string(sample.number));
    stable_sort(mine.begin(), mine.end(), [&](const Sample &one, const Sample &other) {
        return total(one.missing(me)) < total(other.missing(me));
    });
    if (total(mine[0].missing(me)) == 0) return at(me, "LABORATORY", "CONNECT " + to_string(mine[0].number));
    for (const Sample &sample : mine) {
        Molecules missing = sample.missing(me);
        bool there = total(me.storage) + total(missing) <= MOST_MOLECULES;
        int wanted = -1;
        for (int t = 0; t < 5; t++) {
            there = there && missing[t] <= available[t];
            if (wanted < 0 && missing[t] > 0) wanted = t;
        }
        if (there) return at(me, "MOLECULES", string("CONNECT ") + "ABCDE"[wanted]);
    }
    return at(me, "DIAGNOSIS", "CONNECT " + to_string(mine[0].number)); // into the cloud
}

int main() {
    int projects;
    cin >> projects;
    for (Molecules needed; projects > 0; projects--) cin >> needed;
    while (true) {
        Robot robots[2];
        for (Robot &robot : robots) cin >> robot.target >> robot.eta >> robot.score >> robot.storage >> robot.expertise;
        Molecules available;
        int count;
        if (!(cin >> available >> count)) break; // the game is over
        vector<Sample> samples(count);
        for (Sample &sample : samples) {
            int rank, health;
            string gain;
            cin >> sample.number >> sample.carrier >> rank >> gain >> health >> sample.costs;
        }
        cout << decide(robots[0], available, samples) << endl;
    }
}
