// A bot for Zuniq that draws any legal wall.

#include <iostream>
#include <random>
#include <set>
#include <string>
#include <vector>
using namespace std;

// A board of 11 x 11 squares: dots where row and column are even, cells where both are odd, walls in between.
const int SIZE = 11;
const int DOWN[] = {0, 1, 0, -1}, RIGHT[] = {1, 0, -1, 0};

bool drawn[SIZE][SIZE];
set<int> sizes; // of all zones

struct Square { int row, column; };

Square squareOf(const string &name) {
    int row = name[0] - 'A', column = name[1] - '1';
    return name[2] == 'h' ? Square{2 * row, 2 * column + 1} : Square{2 * row + 1, 2 * column};
}

// One of the two cells beside a wall.
Square side(Square wall, int which) {
    int step = which ? 1 : -1;
    return wall.row % 2 == 0 ? Square{wall.row + step, wall.column} : Square{wall.row, wall.column + step};
}

bool isOutside(Square cell) {
    return cell.row < 0 || cell.row >= SIZE || cell.column < 0 || cell.column >= SIZE;
}

// How many cells are closed off together with a cell; 0 if the outside can be reached.
int zoneSize(Square cell) {
    bool seen[SIZE][SIZE] = {};
    vector<Square> zone = {cell};
    if (isOutside(cell)) return 0;
    seen[cell.row][cell.column] = true;
    for (size_t i = 0; i < zone.size(); i++)
        for (int d = 0; d < 4; d++) {
            Square here = zone[i], next = {here.row + 2 * DOWN[d], here.column + 2 * RIGHT[d]};
            if (drawn[here.row + DOWN[d]][here.column + RIGHT[d]]) continue;
            if (isOutside(next)) return 0;
            if (!seen[next.row][next.column]) zone.push_back(next);
            seen[next.row][next.column] = true;
        }
    return zone.size();
}

bool isLegal(Square wall) {
    if (drawn[wall.row][wall.column] || zoneSize(side(wall, 0)) > 0) return false;
    drawn[wall.row][wall.column] = true;
    bool twice = sizes.count(zoneSize(side(wall, 0))) || sizes.count(zoneSize(side(wall, 1)));
    drawn[wall.row][wall.column] = false;
    return !twice;
}

void draw(Square wall) {
    drawn[wall.row][wall.column] = true;
    for (int which = 0; which < 2; which++) {
        int size = zoneSize(side(wall, which));
        if (size > 0) sizes.insert(size);
    }
}

int main() {
    mt19937 random(random_device{}());
    string line;
    while (getline(cin, line) && line != "Quit") {
        if (line != "Start") draw(squareOf(line));
        vector<string> legal;
        for (char kind : {'h', 'v'})
            for (char row = 'A'; row <= (kind == 'h' ? 'F' : 'E'); row++)
                for (char column = '1'; column <= (kind == 'h' ? '5' : '6'); column++) {
                    string name = {row, column, kind};
                    if (isLegal(squareOf(name))) legal.push_back(name);
                }
        string choice = legal[random() % legal.size()];
        draw(squareOf(choice));
        cout << choice << endl;
    }
}
