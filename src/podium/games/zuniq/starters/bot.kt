// A bot for Zuniq that draws any legal wall.

import kotlin.system.exitProcess

// A board of 11 x 11 squares: dots where row and column are even, cells where both are odd, walls in between.
const val SIZE = 11

data class Square(val row: Int, val column: Int) {
    fun isOutside() = row !in 0 until SIZE || column !in 0 until SIZE

    fun plus(step: Square, times: Int) = Square(row + times * step.row, column + times * step.column)

    // The cells on both sides of a wall.
    fun sides() = if (row % 2 == 0) listOf(Square(row - 1, column), Square(row + 1, column))
        else listOf(Square(row, column - 1), Square(row, column + 1))
}

val STEPS = listOf(Square(0, 1), Square(1, 0), Square(0, -1), Square(-1, 0))
val NAMES = walls("ABCDEF", "12345", 'h') + walls("ABCDE", "123456", 'v')

val drawn = mutableSetOf<Square>()
val sizes = mutableSetOf<Int>() // of all zones

fun walls(rows: String, columns: String, kind: Char) = rows.flatMap { row -> columns.map { column -> "$row$column$kind" } }

fun square(name: String): Square {
    val row = name[0] - 'A'
    val column = name[1] - '1'
    return if (name[2] == 'h') Square(2 * row, 2 * column + 1) else Square(2 * row + 1, 2 * column)
}

// How many cells are closed off together with a cell; 0 if the outside can be reached.
fun zoneSize(cell: Square): Int {
    val zone = mutableListOf(cell)
    val seen = mutableSetOf(cell)
    var done = 0
    while (done < zone.size) {
        val here = zone[done++]
        if (here.isOutside()) return 0
        for (step in STEPS) {
            val next = here.plus(step, 2)
            if (here.plus(step, 1) !in drawn && seen.add(next)) zone.add(next)
        }
    }
    return zone.size
}

fun isLegal(wall: Square): Boolean {
    if (wall in drawn || zoneSize(wall.sides()[0]) > 0) return false
    drawn.add(wall)
    val twice = wall.sides().any { zoneSize(it) in sizes }
    drawn.remove(wall)
    return !twice
}

fun draw(wall: Square) {
    drawn.add(wall)
    sizes.addAll(wall.sides().map { zoneSize(it) }.filter { it > 0 })
}

fun main() {
    while (true) {
        val line = read()
        if (line == "Quit") break
        if (line != "Start") draw(square(line))
        val choice = NAMES.filter { isLegal(square(it)) }.random()
        draw(square(choice))
        println(choice)
    }
}
