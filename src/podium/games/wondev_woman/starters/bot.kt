// A bot for Wondev Woman that steps as high as it can, and builds what it can climb.

import kotlin.system.exitProcess

val STEPS = mapOf(
    "N" to Pair(0, -1), "NE" to Pair(1, -1), "E" to Pair(1, 0), "SE" to Pair(1, 1),
    "S" to Pair(0, 1), "SW" to Pair(-1, 1), "W" to Pair(-1, 0), "NW" to Pair(-1, -1)
)
const val FULL = 4
const val LAST_CHOICE = -100

// How much an action is liked.
fun worth(action: String, grid: List<String>, units: List<List<Int>>): Int {
    val (kind, unit, first, second) = action.split(" ")
    if (kind != "MOVE&BUILD") return LAST_CHOICE
    val (right, down) = STEPS.getValue(first)
    val x = units[unit.toInt()][0] + right
    val y = units[unit.toInt()][1] + down
    val (aside, below) = STEPS.getValue(second)
    val height = grid[y][x] - '0'
    val built = grid[y + below][x + aside] - '0' + 1
    val climbable = built < FULL && built <= height + 1
    return 10 * height + (if (climbable) built else -1)
}

fun main() {
    val size = read().toInt()
    val count = read().toInt()
    while (true) {
        val grid = readMany(size)
        val units = readMany(count).map { numbers(it) }
        readMany(count) // the enemy's units
        var best = "ACCEPT-DEFEAT"
        var most = LAST_CHOICE - 1
        for (action in readMany(read().toInt())) {
            val value = worth(action, grid, units)
            if (value > most) {
                most = value
                best = action
            }
        }
        println(best)
    }
}
