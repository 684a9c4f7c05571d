// A bot for Fall Challenge 2020 that brews the dearest potion it can, learns a few spells, and casts the best one.

use std::io::{stdin, Lines, StdinLock};

const TIERS: usize = 4;
const CAPACITY: i32 = 10;
const ENOUGH_SPELLS: usize = 8;

struct Action {
    number: i32,
    kind: String,
    deltas: Vec<i32>,
    price: i32,
    place: i32,
    castable: bool,
}

impl Action {
    // Whether there is enough of everything, and room.
    fn is_possible(&self, inventory: &[i32]) -> bool {
        let after: Vec<i32> = (0..TIERS).map(|tier| inventory[tier] + self.deltas[tier]).collect();
        after.iter().all(|count| *count >= 0) && after.iter().sum::<i32>() <= CAPACITY
    }

    // What casting it is worth, where an ingredient of tier t is worth t + 1.
    fn gain(&self) -> i32 {
        (0..TIERS).map(|tier| (tier as i32 + 1) * self.deltas[tier]).sum()
    }
}

fn decide(actions: &[Action], inventory: &[i32]) -> String {
    let of_kind = |kind: &'static str| actions.iter().filter(move |action| action.kind == kind);
    if let Some(order) = of_kind("BREW").filter(|a| a.is_possible(inventory)).max_by_key(|a| a.price) {
        return format!("BREW {}", order.number);
    }
    if of_kind("CAST").count() < ENOUGH_SPELLS {
        if let Some(lesson) = of_kind("LEARN").find(|a| a.place <= inventory[0]) {
            return format!("LEARN {}", lesson.number);
        }
    }
    let useful = of_kind("CAST").filter(|a| a.castable && a.is_possible(inventory) && a.gain() > 0);
    match useful.max_by_key(|a| a.gain()) {
        Some(spell) => format!("CAST {}", spell.number),
        None => "REST".to_string(),
    }
}

// The next line; the program ends with the game.
fn read(lines: &mut Lines<StdinLock>) -> String {
    lines.next().unwrap_or_else(|| std::process::exit(0)).unwrap()
}

fn read_action(line: &str) -> Action {
    let words: Vec<&str> = line.split_whitespace().collect();
    // price, place, tax, castable, repeatable follow the deltas
    let numbers: Vec<i32> = words[2..].iter().map(|word| word.parse().unwrap()).collect();
    Action {
        number: words[0].parse().unwrap(),
        kind: words[1].to_string(),
        deltas: numbers[..TIERS].to_vec(),
        price: numbers[4],
        place: numbers[5],
        castable: numbers[7] == 1,
    }
}

fn main() {
    let mut lines = stdin().lines();
    loop {
        let count: usize = read(&mut lines).parse().unwrap();
        let actions: Vec<Action> = (0..count).map(|_| read_action(&read(&mut lines))).collect();
        let players: Vec<Vec<i32>> = (0..2)
            .map(|_| read(&mut lines).split_whitespace().map(|word| word.parse().unwrap()).collect())
            .collect();
        println!("{}", decide(&actions, &players[0][..TIERS]));
    }
}
