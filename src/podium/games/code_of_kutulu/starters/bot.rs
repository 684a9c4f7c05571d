// A bot for Code of Kutulu that keeps away from minions and close to other explorers.

use std::io::{stdin, Lines, StdinLock};

const FAR: i32 = 6; // a minion farther away than this is no concern
const FEAR: i32 = 3; // how much more a step away from a minion counts than a step towards an explorer
const STEPS: [(i32, i32); 5] = [(0, 0), (0, -1), (1, 0), (0, 1), (-1, 0)];

type Place = (i32, i32);

// Steps between a place and the nearest of others, as if there were no walls.
fn nearest(place: Place, others: &[Place]) -> Option<i32> {
    others.iter().map(|other| (place.0 - other.0).abs() + (place.1 - other.1).abs()).min()
}

fn decide(maze: &[String], me: Place, others: &[Place], minions: &[Place]) -> String {
    let is_floor = |(x, y): Place| {
        let row = if y < 0 { None } else { maze.get(y as usize) };
        let cell = row.and_then(|row| if x < 0 { None } else { row.as_bytes().get(x as usize) });
        cell.is_some_and(|cell| *cell != b'#')
    };
    let worth = |place: Place| {
        let danger = nearest(place, minions).unwrap_or(FAR).min(FAR);
        FEAR * danger - nearest(place, others).unwrap_or(0)
    };
    let places = STEPS.iter().map(|step| (me.0 + step.0, me.1 + step.1)).filter(|place| is_floor(*place));
    let best = places.max_by_key(|place| worth(*place)).unwrap();
    if best == me { "WAIT".to_string() } else { format!("MOVE {} {}", best.0, best.1) }
}

// The next line; the program ends with the game.
fn read(lines: &mut Lines<StdinLock>) -> String {
    lines.next().unwrap_or_else(|| std::process::exit(0)).unwrap()
}

fn main() {
    let mut lines = stdin().lines();
    let _width: usize = read(&mut lines).parse().unwrap();
    let height: usize = read(&mut lines).parse().unwrap();
    let maze: Vec<String> = (0..height).map(|_| read(&mut lines)).collect();
    let _settings = read(&mut lines);
    loop {
        let count: usize = read(&mut lines).parse().unwrap();
        let (mut explorers, mut minions) = (vec![], vec![]);
        for _ in 0..count {
            let line = read(&mut lines);
            let words: Vec<&str> = line.split_whitespace().collect();
            let place: Place = (words[2].parse().unwrap(), words[3].parse().unwrap());
            match words[0] {
                "EXPLORER" => explorers.push(place),
                "WANDERER" | "SLASHER" => minions.push(place),
                _ => {} // an effect
            }
        }
        println!("{}", decide(&maze, explorers[0], &explorers[1..], &minions));
    }
}
