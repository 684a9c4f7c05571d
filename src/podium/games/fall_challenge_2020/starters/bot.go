// A bot for Fall Challenge 2020 that brews the dearest potion it can, learns a few spells, and casts the best one.
package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

const TIERS, CAPACITY, ENOUGH_SPELLS = 4, 10, 8

type Action struct {
	number, kind         string
	deltas               []int
	price, place, tax    int
	castable, repeatable bool
}

func readAction(line string) *Action {
	words := strings.Fields(line)
	values := numbers(words[2:]...)
	rest := values[TIERS:]
	return &Action{words[0], words[1], values[:TIERS], rest[0], rest[1], rest[2], rest[3] == 1, rest[4] == 1}
}

// Whether there is enough of everything, and room.
func (action *Action) isPossible(inventory []int) bool {
	total := 0
	for tier, delta := range action.deltas {
		if inventory[tier]+delta < 0 {
			return false
		}
		total += inventory[tier] + delta
	}
	return total <= CAPACITY
}

// What casting it is worth, where an ingredient of tier t is worth t + 1.
func (action *Action) gain() int {
	sum := 0
	for tier, delta := range action.deltas {
		sum += (tier + 1) * delta
	}
	return sum
}

func decide(actions []*Action, inventory []int) string {
	var order, lesson, spell *Action
	own := 0
	for _, action := range actions {
		possible := action.isPossible(inventory)
		switch action.kind {
		case "BREW":
			if possible && (order == nil || action.price > order.price) {
				order = action
			}
		case "LEARN":
			if lesson == nil && action.place <= inventory[0] {
				lesson = action
			}
		case "CAST":
			own++
			if action.castable && possible && action.gain() > 0 && (spell == nil || action.gain() > spell.gain()) {
				spell = action
			}
		}
	}
	switch {
	case order != nil:
		return "BREW " + order.number
	case lesson != nil && own < ENOUGH_SPELLS:
		return "LEARN " + lesson.number
	case spell != nil:
		return "CAST " + spell.number
	}
	return "REST"
}

func main() {
	for {
		actions := []*Action{}
		for _, line := range readMany(number(read())) {
			actions = append(actions, readAction(line))
		}
		mine, _ := numbers(read()), numbers(read()) // four ingredients, then rupees
		fmt.Println(decide(actions, mine[:TIERS]))
	}
}
