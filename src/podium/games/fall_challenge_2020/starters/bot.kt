// A bot for Fall Challenge 2020 that brews the dearest potion it can, learns a few spells, and casts the best one.

import kotlin.system.exitProcess

const val TIERS = 4
const val CAPACITY = 10
const val ENOUGH_SPELLS = 8

class Action(line: String) {
    private val words = line.split(" ")
    val number = words[0]
    val kind = words[1]
    val deltas = words.subList(2, 2 + TIERS).map { it.toInt() }
    val price = words[2 + TIERS].toInt()
    val place = words[3 + TIERS].toInt()
    val tax = words[4 + TIERS].toInt()
    val castable = words[5 + TIERS] == "1"
    val repeatable = words[6 + TIERS] == "1"

    // What casting it is worth, where an ingredient of tier t is worth t + 1.
    val gain = deltas.mapIndexed { tier, delta -> (tier + 1) * delta }.sum()

    // Whether there is enough of everything, and room.
    fun isPossible(inventory: List<Int>): Boolean {
        val after = inventory.zip(deltas) { have, delta -> have + delta }
        return after.all { it >= 0 } && after.sum() <= CAPACITY
    }
}

fun decide(actions: List<Action>, inventory: List<Int>): String {
    val orders = actions.filter { it.kind == "BREW" && it.isPossible(inventory) }.sortedByDescending { it.price }
    if (orders.isNotEmpty()) return "BREW ${orders[0].number}"
    val own = actions.filter { it.kind == "CAST" }
    val lesson = actions.find { it.kind == "LEARN" && it.place <= inventory[0] }
    if (lesson != null && own.size < ENOUGH_SPELLS) return "LEARN ${lesson.number}"
    val spells = own.filter { it.castable && it.isPossible(inventory) && it.gain > 0 }.sortedByDescending { it.gain }
    return if (spells.isNotEmpty()) "CAST ${spells[0].number}" else "REST"
}

fun main() {
    while (true) {
        val actions = readMany(read().toInt()).map { Action(it) }
        val (mine, _) = readMany(2).map { numbers(it) } // four ingredients, then rupees
        println(decide(actions, mine.take(TIERS)))
    }
}
