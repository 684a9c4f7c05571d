// The next line of the prompt; the program ends when there is none.
fun read(): String = readlnOrNull() ?: exitProcess(0) // the game is over

fun readMany(count: Int): List<String> = List(count) { read() }

fun numbers(line: String): List<Int> = line.split(" ").map { it.toInt() }
