// A bot for Code of Kutulu that keeps away from minions and close to other explorers.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

type Place struct{ x, y int }

const FAR = 6  // a minion farther away than this is no concern
const FEAR = 3 // how much more a step away from a minion counts than a step towards an explorer

func abs(value int) int {
	if value < 0 {
		return -value
	}
	return value
}

// Steps between a place and the nearest of others, as if there were no walls.
func nearest(place Place, others []Place, otherwise int) int {
	least := otherwise
	for i, other := range others {
		steps := abs(place.x-other.x) + abs(place.y-other.y)
		if i == 0 || steps < least {
			least = steps
		}
	}
	return least
}

func decide(maze []string, me Place, others, minions []Place) string {
	worth := func(place Place) int {
		danger := nearest(place, minions, FAR)
		if danger > FAR {
			danger = FAR
		}
		return FEAR*danger - nearest(place, others, 0)
	}
	best := me
	for _, place := range []Place{{me.x, me.y - 1}, {me.x + 1, me.y}, {me.x, me.y + 1}, {me.x - 1, me.y}} {
		outside := place.y < 0 || place.y >= len(maze) || place.x < 0 || place.x >= len(maze[0])
		if !outside && maze[place.y][place.x] != '#' && worth(place) > worth(best) {
			best = place
		}
	}
	if best == me {
		return "WAIT"
	}
	return fmt.Sprintf("MOVE %d %d", best.x, best.y)
}

func main() {
	_, height := number(read()), number(read())
	maze := readMany(height)
	_ = numbers(read()) // the four settings
	for {
		var explorers, minions []Place
		for _, line := range readMany(number(read())) {
			words := strings.Fields(line)
			place := Place{number(words[2]), number(words[3])}
			switch words[0] {
			case "EXPLORER":
				explorers = append(explorers, place)
			case "WANDERER", "SLASHER":
				minions = append(minions, place)
			}
		}
		fmt.Println(decide(maze, explorers[0], explorers[1:], minions))
	}
}
