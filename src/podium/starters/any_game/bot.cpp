// A bot that plays any legal move.

#include <iostream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

using namespace std;

int main() {
    mt19937 random(random_device{}());
    map<string, vector<string>> fields; // of the state, by name; your seat among them
    string line;
    while (getline(cin, line)) {
        istringstream words(line);
        string name, word;
        vector<string> values;
        words >> name;
        while (words >> word) values.push_back(word);
        if (name != "legal") {
            fields[name] = values;
            continue;
        }
        vector<string> legal(stoi(values[0]));
        for (string &answer : legal) getline(cin, answer);
        cout << legal[random() % legal.size()] << endl;
    }
}
