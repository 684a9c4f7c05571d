// A bot that plays any legal move.

use std::collections::HashMap;
use std::io::{stdin, BufRead};

fn main() {
    let mut fields: HashMap<String, Vec<String>> = HashMap::new(); // of the state, by name; your seat among them
    let mut random = std::process::id() as usize; // a linear congruential generator is random enough here
    let mut lines = stdin().lock().lines().map(|line| line.unwrap());
    while let Some(line) = lines.next() {
        let mut words = line.split_whitespace().map(String::from);
        let name = words.next().unwrap();
        let values: Vec<String> = words.collect();
        if name != "legal" {
            fields.insert(name, values);
            continue;
        }
        let legal: Vec<String> = lines.by_ref().take(values[0].parse().unwrap()).collect();
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        println!("{}", legal[(random >> 33) % legal.len()]);
    }
}
