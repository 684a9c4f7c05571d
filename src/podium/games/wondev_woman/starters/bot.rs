// A bot for Wondev Woman that steps as high as it can, and builds what it can climb.

use std::io::{stdin, Lines, StdinLock};

const FULL: i32 = 4;
const LAST_CHOICE: i32 = -100;

fn step(direction: &str) -> (i32, i32) {
    match direction {
        "N" => (0, -1),
        "NE" => (1, -1),
        "E" => (1, 0),
        "SE" => (1, 1),
        "S" => (0, 1),
        "SW" => (-1, 1),
        "W" => (-1, 0),
        _ => (-1, -1),
    }
}

// The next line; the program ends with the game.
fn read(lines: &mut Lines<StdinLock>) -> String {
    lines.next().unwrap_or_else(|| std::process::exit(0)).unwrap()
}

fn numbers(line: &str) -> Vec<i32> {
    line.split_whitespace().map(|word| word.parse().unwrap()).collect()
}

// How much an action is liked.
fn worth(action: &str, grid: &[String], units: &[Vec<i32>]) -> i32 {
    let words: Vec<&str> = action.split_whitespace().collect();
    if words[0] != "MOVE&BUILD" {
        return LAST_CHOICE;
    }
    let height_at = |x: i32, y: i32| (grid[y as usize].as_bytes()[x as usize] - b'0') as i32;
    let (first, second) = (step(words[2]), step(words[3]));
    let unit = &units[words[1].parse::<usize>().unwrap()];
    let (x, y) = (unit[0] + first.0, unit[1] + first.1);
    let height = height_at(x, y);
    let built = height_at(x + second.0, y + second.1) + 1;
    let climbable = built < FULL && built <= height + 1;
    10 * height + if climbable { built } else { -1 }
}

fn main() {
    let mut lines = stdin().lines();
    let size: usize = read(&mut lines).parse().unwrap();
    let count: usize = read(&mut lines).parse().unwrap();
    loop {
        let grid: Vec<String> = (0..size).map(|_| read(&mut lines)).collect();
        let units: Vec<Vec<i32>> = (0..count).map(|_| numbers(&read(&mut lines))).collect();
        let _enemies: Vec<Vec<i32>> = (0..count).map(|_| numbers(&read(&mut lines))).collect();
        let legal: usize = read(&mut lines).parse().unwrap();
        let actions: Vec<String> = (0..legal).map(|_| read(&mut lines)).collect();
        match actions.iter().max_by_key(|action| worth(action, &grid, &units)) {
            Some(best) => println!("{best}"),
            None => println!("ACCEPT-DEFEAT"),
        }
    }
}
