// A bot for Wondev Woman that steps as high as it can, and builds what it can climb.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

type Step struct{ right, down int }

var STEPS = map[string]Step{
	"N": {0, -1}, "NE": {1, -1}, "E": {1, 0}, "SE": {1, 1}, "S": {0, 1}, "SW": {-1, 1}, "W": {-1, 0}, "NW": {-1, -1},
}

const FULL, LAST_CHOICE = 4, -100

// How much an action is liked.
func worth(action string, grid []string, units [][]int) int {
	words := strings.Fields(action)
	if words[0] != "MOVE&BUILD" {
		return LAST_CHOICE
	}
	unit, first, second := units[number(words[1])], STEPS[words[2]], STEPS[words[3]]
	x, y := unit[0]+first.right, unit[1]+first.down
	height := int(grid[y][x] - '0')
	built := int(grid[y+second.down][x+second.right]-'0') + 1
	if built < FULL && built <= height+1 {
		return 10*height + built
	}
	return 10*height - 1
}

func readPlaces(count int) [][]int {
	places := [][]int{}
	for _, line := range readMany(count) {
		places = append(places, numbers(line))
	}
	return places
}

func main() {
	size, count := number(read()), number(read())
	for {
		grid := readMany(size)
		units, _ := readPlaces(count), readPlaces(count) // yours, and the enemy's
		best, most := "ACCEPT-DEFEAT", LAST_CHOICE-1
		for _, action := range readMany(number(read())) {
			if value := worth(action, grid, units); value > most {
				best, most = action, value
			}
		}
		fmt.Println(best)
	}
}
