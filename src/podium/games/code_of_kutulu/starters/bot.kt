// A bot for Code of Kutulu that keeps away from minions and close to other explorers.

import kotlin.math.abs
import kotlin.math.min
import kotlin.system.exitProcess

const val FAR = 6  // a minion farther away than this is no concern
const val FEAR = 3 // how much more a step away from a minion counts than a step towards an explorer

data class Place(val x: Int, val y: Int)

// Steps between a place and the nearest of others, as if there were no walls.
fun nearest(place: Place, others: List<Place>, otherwise: Int): Int {
    var least = if (others.isEmpty()) otherwise else Int.MAX_VALUE
    for (other in others) least = min(least, abs(place.x - other.x) + abs(place.y - other.y))
    return least
}

fun decide(maze: List<String>, me: Place, others: List<Place>, minions: List<Place>): String {
    fun worth(place: Place) = FEAR * min(FAR, nearest(place, minions, FAR)) - nearest(place, others, 0)
    var best = me
    for ((right, down) in listOf(Pair(0, -1), Pair(1, 0), Pair(0, 1), Pair(-1, 0))) {
        val place = Place(me.x + right, me.y + down)
        val cell = maze.getOrNull(place.y)?.getOrNull(place.x) ?: '#'
        if (cell != '#' && worth(place) > worth(best)) best = place
    }
    return if (best == me) "WAIT" else "MOVE ${best.x} ${best.y}"
}

fun main() {
    read() // the width
    val maze = readMany(read().toInt())
    read() // the four settings
    while (true) {
        val entities = readMany(read().toInt()).map { it.split(" ") }
        fun placesOf(vararg kinds: String) =
            entities.filter { it[0] in kinds }.map { Place(it[2].toInt(), it[3].toInt()) }
        val explorers = placesOf("EXPLORER")
        println(decide(maze, explorers[0], explorers.drop(1), placesOf("WANDERER", "SLASHER")))
    }
}
