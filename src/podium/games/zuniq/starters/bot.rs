// A bot for Zuniq that draws any legal wall.

use std::collections::HashSet;
use std::io::{stdin, BufRead};

// A board of 11 x 11 squares: dots where row and column are even, cells where both are odd, walls in between.
const SIZE: i32 = 11;
const STEPS: [(i32, i32); 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];

type Square = (i32, i32);

#[derive(Default)]
struct Board {
    drawn: HashSet<Square>,
    sizes: HashSet<usize>, // of all zones
}

fn square(name: &str) -> Square {
    let bytes = name.as_bytes();
    let (row, column) = ((bytes[0] - b'A') as i32, (bytes[1] - b'1') as i32);
    if bytes[2] == b'h' { (2 * row, 2 * column + 1) } else { (2 * row + 1, 2 * column) }
}

// The cells on both sides of a wall.
fn sides((row, column): Square) -> [Square; 2] {
    if row % 2 == 0 { [(row - 1, column), (row + 1, column)] } else { [(row, column - 1), (row, column + 1)] }
}

impl Board {
    // How many cells are closed off together with a cell; 0 if the outside can be reached.
    fn zone_size(&self, cell: Square) -> usize {
        let mut seen = HashSet::from([cell]);
        let mut waiting = vec![cell];
        while let Some((row, column)) = waiting.pop() {
            if row < 0 || row >= SIZE || column < 0 || column >= SIZE {
                return 0;
            }
            for (down, right) in STEPS {
                let next = (row + 2 * down, column + 2 * right);
                if !self.drawn.contains(&(row + down, column + right)) && seen.insert(next) {
                    waiting.push(next);
                }
            }
        }
        seen.len()
    }

    fn is_legal(&mut self, wall: Square) -> bool {
        if self.drawn.contains(&wall) || self.zone_size(sides(wall)[0]) > 0 {
            return false;
        }
        self.drawn.insert(wall);
        let twice = sides(wall).iter().any(|side| self.sizes.contains(&self.zone_size(*side)));
        self.drawn.remove(&wall);
        !twice
    }

    fn draw(&mut self, wall: Square) {
        self.drawn.insert(wall);
        for side in sides(wall) {
            let size = self.zone_size(side);
            if size > 0 {
                self.sizes.insert(size);
            }
        }
    }
}

fn names() -> Vec<String> {
    let all = |kind: char, rows: &str, columns: &str| -> Vec<String> {
        rows.chars().flat_map(|row| columns.chars().map(move |column| format!("{row}{column}{kind}"))).collect()
    };
    [all('h', "ABCDEF", "12345"), all('v', "ABCDE", "123456")].concat()
}

fn main() {
    let mut board = Board::default();
    let mut random = std::process::id() as usize; // a linear congruential generator is random enough here
    for line in stdin().lock().lines() {
        let line = line.unwrap();
        match line.trim() {
            "Quit" => break,
            "Start" => {}
            wall => board.draw(square(wall)),
        }
        let legal: Vec<String> = names().into_iter().filter(|name| board.is_legal(square(name))).collect();
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let choice = &legal[(random >> 33) % legal.len()];
        board.draw(square(choice));
        println!("{choice}");
    }
}
