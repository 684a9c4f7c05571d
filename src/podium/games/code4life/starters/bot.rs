// A bot for Code 4 Life that fetches samples of rank 1 and delivers one after the other.

use std::io::{stdin, Lines, StdinLock};

const TYPES: [&str; 5] = ["A", "B", "C", "D", "E"];
const MOST_MOLECULES: i32 = 10;
const MOST_SAMPLES: usize = 3;
const UNKNOWN: i32 = -1;

struct Robot {
    target: String,
    eta: i32,
    storage: Vec<i32>,
    expertise: Vec<i32>,
}

struct Sample {
    number: i32,
    carrier: i32,
    costs: Vec<i32>, // UNKNOWN until it is diagnosed
}

impl Sample {
    // How many molecules of each type a robot still needs for it.
    fn missing(&self, robot: &Robot) -> Vec<i32> {
        (0..5).map(|t| (self.costs[t] - robot.expertise[t] - robot.storage[t]).max(0)).collect()
    }
}

impl Robot {
    // The action if the robot stands at the module, otherwise go there.
    fn at(&self, module: &str, action: String) -> String {
        if self.target == module { action } else { format!("GOTO {module}") }
    }
}

fn decide(me: &Robot, available: &[i32], samples: &[Sample]) -> String {
    if me.eta > 0 {
        return "WAIT".to_string();
    }
    let mut mine: Vec<&Sample> = samples.iter().filter(|sample| sample.carrier == 0).collect();
    if mine.is_empty() || (me.target == "SAMPLES" && mine.len() < MOST_SAMPLES) {
        return me.at("SAMPLES", "CONNECT 1".to_string());
    }
    if let Some(sample) = mine.iter().find(|sample| sample.costs[0] == UNKNOWN) {
        return me.at("DIAGNOSIS", format!("CONNECT {}", sample.number));
    }
    mine.sort_by_key(|sample| sample.missing(me).iter().sum::<i32>());
    if mine[0].missing(me).iter().sum::<i32>() == 0 {
        return me.at("LABORATORY", format!("CONNECT {}", mine[0].number));
    }
    for sample in &mine {
        let missing = sample.missing(me);
        let there = (0..5).all(|t| missing[t] <= available[t]);
        let held: i32 = me.storage.iter().sum();
        if there && held + missing.iter().sum::<i32>() <= MOST_MOLECULES {
            let wanted = missing.iter().position(|need| *need > 0).unwrap();
            return me.at("MOLECULES", format!("CONNECT {}", TYPES[wanted]));
        }
    }
    me.at("DIAGNOSIS", format!("CONNECT {}", mine[0].number)) // into the cloud
}

// The words of the next line; the program ends with the game.
fn words(lines: &mut Lines<StdinLock>) -> Vec<String> {
    let line = lines.next().unwrap_or_else(|| std::process::exit(0)).unwrap();
    line.split_whitespace().map(String::from).collect()
}

fn numbers(words: &[String]) -> Vec<i32> {
    words.iter().map(|word| word.parse().unwrap()).collect()
}

fn read_robot(lines: &mut Lines<StdinLock>) -> Robot {
    let line = words(lines);
    let rest = numbers(&line[1..]);
    Robot { target: line[0].clone(), eta: rest[0], storage: rest[2..7].to_vec(), expertise: rest[7..].to_vec() }
}

fn read_sample(lines: &mut Lines<StdinLock>) -> Sample {
    let line = words(lines);
    let head = numbers(&line[..2]);
    Sample { number: head[0], carrier: head[1], costs: numbers(&line[5..]) }
}

fn main() {
    let mut lines = stdin().lines();
    let projects: usize = words(&mut lines)[0].parse().unwrap();
    let _projects: Vec<Vec<i32>> = (0..projects).map(|_| numbers(&words(&mut lines))).collect();
    loop {
        let (me, _other) = (read_robot(&mut lines), read_robot(&mut lines));
        let available = numbers(&words(&mut lines));
        let count: usize = words(&mut lines)[0].parse().unwrap();
        let samples: Vec<Sample> = (0..count).map(|_| read_sample(&mut lines)).collect();
        println!("{}", decide(&me, &available, &samples));
    }
}
