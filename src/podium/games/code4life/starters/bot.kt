// A bot for Code 4 Life that fetches samples of rank 1 and delivers one after the other.

import kotlin.math.max
import kotlin.system.exitProcess

const val TYPES = "ABCDE"
const val MOST_MOLECULES = 10
const val MOST_SAMPLES = 3
const val UNKNOWN = -1

class Robot(line: String) {
    private val words = line.split(" ")
    val target = words[0]
    val eta = words[1].toInt()
    val score = words[2].toInt()
    val storage = words.subList(3, 8).map { it.toInt() }
    val expertise = words.subList(8, 13).map { it.toInt() }

    // The action if the robot stands at the module, otherwise go there.
    fun at(module: String, action: String) = if (target == module) action else "GOTO $module"
}

class Sample(line: String) {
    private val words = line.split(" ")
    val number = words[0]
    val carrier = words[1].toInt()
    val rank = words[2].toInt()
    val gain = words[3]
    val health = words[4].toInt()
    val costs = words.subList(5, 10).map { it.toInt() } // UNKNOWN until it is diagnosed

    // How many molecules of each type a robot still needs for it.
    fun missing(robot: Robot) = costs.mapIndexed { type, cost -> max(0, cost - robot.expertise[type] - robot.storage[type]) }
}

fun decide(me: Robot, available: List<Int>, samples: List<Sample>): String {
    if (me.eta > 0) return "WAIT"
    val mine = samples.filter { it.carrier == 0 }.sortedBy { it.missing(me).sum() }
    if (mine.isEmpty() || me.target == "SAMPLES" && mine.size < MOST_SAMPLES) return me.at("SAMPLES", "CONNECT 1")
    val unknown = mine.find { it.costs[0] == UNKNOWN }
    if (unknown != null) return me.at("DIAGNOSIS", "CONNECT ${unknown.number}")
    if (mine[0].missing(me).sum() == 0) return me.at("LABORATORY", "CONNECT ${mine[0].number}")
    for (sample in mine) {
        val missing = sample.missing(me)
        val there = missing.zip(available).all { (need, left) -> need <= left }
        if (there && me.storage.sum() + missing.sum() <= MOST_MOLECULES) {
            return me.at("MOLECULES", "CONNECT ${TYPES[missing.indexOfFirst { it > 0 }]}")
        }
    }
    return me.at("DIAGNOSIS", "CONNECT ${mine[0].number}") // into the cloud
}

fun main() {
    readMany(read().toInt()) // the science projects
    while (true) {
        val (me, _) = readMany(2).map { Robot(it) }
        val available = numbers(read())
        val samples = readMany(read().toInt()).map { Sample(it) }
        println(decide(me, available, samples))
    }
}
