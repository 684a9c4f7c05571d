// A bot for Zuniq that draws any legal wall.
package main

import (
	"bufio"
	"fmt"
	"math/rand"
	"os"
	"strconv"
	"strings"
	"time"
)

// A board of 11 x 11 squares: dots where row and column are even, cells where both are odd, walls in between.
const SIZE = 11

type Square struct{ row, column int }

var STEPS = []Square{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
var drawn = map[Square]bool{}
var sizes = map[int]bool{} // of all zones

func square(name string) Square {
	row, column := int(name[0]-'A'), int(name[1]-'1')
	if name[2] == 'h' {
		return Square{2 * row, 2*column + 1}
	}
	return Square{2*row + 1, 2 * column}
}

// The cells on both sides of a wall.
func (wall Square) sides() [2]Square {
	if wall.row%2 == 0 {
		return [2]Square{{wall.row - 1, wall.column}, {wall.row + 1, wall.column}}
	}
	return [2]Square{{wall.row, wall.column - 1}, {wall.row, wall.column + 1}}
}

// How many cells are closed off together with a cell; 0 if the outside can be reached.
func zoneSize(cell Square) int {
	zone, seen := []Square{cell}, map[Square]bool{cell: true}
	for i := 0; i < len(zone); i++ {
		here := zone[i]
		if here.row < 0 || here.row >= SIZE || here.column < 0 || here.column >= SIZE {
			return 0
		}
		for _, step := range STEPS {
			next := Square{here.row + 2*step.row, here.column + 2*step.column}
			if !drawn[Square{here.row + step.row, here.column + step.column}] && !seen[next] {
				seen[next] = true
				zone = append(zone, next)
			}
		}
	}
	return len(zone)
}

func isLegal(wall Square) bool {
	sides := wall.sides()
	if drawn[wall] || zoneSize(sides[0]) > 0 {
		return false
	}
	drawn[wall] = true
	twice := sizes[zoneSize(sides[0])] || sizes[zoneSize(sides[1])]
	delete(drawn, wall)
	return !twice
}

func draw(wall Square) {
	drawn[wall] = true
	for _, side := range wall.sides() {
		if size := zoneSize(side); size > 0 {
			sizes[size] = true
		}
	}
}

func names() []string {
	found := []string{}
	for _, kind := range []struct{ letter, rows, columns string }{{"h", "ABCDEF", "12345"}, {"v", "ABCDE", "123456"}} {
		for _, row := range kind.rows {
			for _, column := range kind.columns {
				found = append(found, string(row)+string(column)+kind.letter)
			}
		}
	}
	return found
}

func main() {
	rand.Seed(time.Now().UnixNano())
	for line := read(); line != "Quit"; line = read() {
		if line != "Start" {
			draw(square(line))
		}
		legal := []string{}
		for _, name := range names() {
			if isLegal(square(name)) {
				legal = append(legal, name)
			}
		}
		choice := legal[rand.Intn(len(legal))]
		draw(square(choice))
		fmt.Println(choice)
	}
}
