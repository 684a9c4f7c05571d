var lines = bufio.NewScanner(os.Stdin)

// The next line of the prompt; the program ends when there is none.
func read() string {
	if !lines.Scan() {
		os.Exit(0) // the game is over
	}
	return lines.Text()
}

func readMany(count int) []string {
	found := make([]string, count)
	for i := range found {
		found[i] = read()
	}
	return found
}

func number(word string) int {
	value, _ := strconv.Atoi(word)
	return value
}

// The numbers of a line, or of some of its words.
func numbers(words ...string) []int {
	found := []int{}
	for _, word := range strings.Fields(strings.Join(words, " ")) {
		found = append(found, number(word))
	}
	return found
}
