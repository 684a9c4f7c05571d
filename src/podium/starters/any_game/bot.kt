// A bot that plays any legal move.

import kotlin.system.exitProcess

fun main() {
    val fields = mutableMapOf<String, List<String>>() // of the state, by name; your seat among them
    while (true) {
        val words = read().split(" ")
        if (words[0] != "legal") {
            fields[words[0]] = words.drop(1)
            continue
        }
        println(readMany(words[1].toInt()).random())
    }
}
