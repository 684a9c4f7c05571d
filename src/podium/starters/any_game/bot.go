// A bot that plays any legal move.
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

func main() {
	rand.Seed(time.Now().UnixNano())
	fields := map[string][]string{} // of the state, by name; your seat among them
	for {
		words := strings.Fields(read())
		if words[0] != "legal" {
			fields[words[0]] = words[1:]
			continue
		}
		legal := readMany(number(words[1]))
		fmt.Println(legal[rand.Intn(len(legal))])
	}
}
