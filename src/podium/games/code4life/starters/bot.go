// A bot for Code 4 Life that fetches samples of rank 1 and delivers one after the other.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"
)

const TYPES = "ABCDE"
const MOST_MOLECULES, MOST_SAMPLES, UNKNOWN = 10, 3, -1

type Robot struct {
	target             string
	eta, score         int
	storage, expertise []int
}

type Sample struct {
	number        string
	carrier, rank int
	gain          string
	health        int
	costs         []int // UNKNOWN until it is diagnosed
}

func total(molecules []int) int {
	sum := 0
	for _, count := range molecules {
		sum += count
	}
	return sum
}

// How many molecules of each type a robot still needs for it.
func (sample Sample) missing(robot Robot) []int {
	need := make([]int, len(TYPES))
	for i := range need {
		if left := sample.costs[i] - robot.expertise[i] - robot.storage[i]; left > 0 {
			need[i] = left
		}
	}
	return need
}

// The action if the robot stands at the module, otherwise go there.
func (robot Robot) at(module, action string) string {
	if robot.target == module {
		return action
	}
	return "GOTO " + module
}

// The type of a molecule to take for a sample, or "" if there are too few of them, or no room.
func wanted(sample Sample, me Robot, available []int) string {
	need, choice := sample.missing(me), ""
	for i, count := range need {
		if count > available[i] {
			return ""
		}
		if count > 0 && choice == "" {
			choice = TYPES[i : i+1]
		}
	}
	if total(me.storage)+total(need) > MOST_MOLECULES {
		return ""
	}
	return choice
}

func decide(me Robot, available []int, samples []Sample) string {
	if me.eta > 0 {
		return "WAIT"
	}
	mine := []Sample{}
	for _, sample := range samples {
		if sample.carrier == 0 {
			mine = append(mine, sample)
		}
	}
	if len(mine) == 0 || me.target == "SAMPLES" && len(mine) < MOST_SAMPLES {
		return me.at("SAMPLES", "CONNECT 1")
	}
	for _, sample := range mine {
		if sample.costs[0] == UNKNOWN {
			return me.at("DIAGNOSIS", "CONNECT "+sample.number)
		}
	}
	sort.SliceStable(mine, func(i, j int) bool { return total(mine[i].missing(me)) < total(mine[j].missing(me)) })
	if total(mine[0].missing(me)) == 0 {
		return me.at("LABORATORY", "CONNECT "+mine[0].number)
	}
	for _, sample := range mine {
		if letter := wanted(sample, me, available); letter != "" {
			return me.at("MOLECULES", "CONNECT "+letter)
		}
	}
	return me.at("DIAGNOSIS", "CONNECT "+mine[0].number) // into the cloud
}

func readRobot() Robot {
	words := strings.Fields(read())
	values := numbers(words[1:]...)
	return Robot{words[0], values[0], values[1], values[2:7], values[7:]}
}

func readSample(line string) Sample {
	words := strings.Fields(line)
	return Sample{words[0], number(words[1]), number(words[2]), words[3], number(words[4]), numbers(words[5:]...)}
}

func main() {
	_ = readMany(number(read())) // the science projects
	for {
		me, _ := readRobot(), readRobot()
		available := numbers(read())
		samples := []Sample{}
		for _, line := range readMany(number(read())) {
			samples = append(samples, readSample(line))
		}
		fmt.Println(decide(me, available, samples))
	}
}
