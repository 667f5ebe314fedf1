//! What a slider sees on one line through its square, as a number.
//!
//! How far it gets to either side is all that there is to see, and it gets one square far at least, be it to capture there. So the
//! number of sights is the product of the squares on both sides, and each has a number from 0 on. On a rank, all depends on the
//! file of the slider, and so it does on a diagonal whose squares are looked at by their files; on a file, by their ranks.

/// The squares to the left and to the right on the diagonal that goes up through the square of this number.
const fn sides(square: usize) -> [usize; 2] {
    let (file, rank) = (square % 8, square / 8);
    if file < rank { [file, 7 - rank] } else { [rank, 7 - file] }
}

/// Returns the number of sights on the diagonal that goes up through the square of this number.
pub(crate) const fn sights(square: usize) -> usize {
    let [left, right] = sides(square);
    (if left == 0 { 1 } else { left }) * (if right == 0 { 1 } else { right })
}

/// Returns how many squares the slider gets beyond the first, if there are so many to that side.
const fn beyond(file: usize, length: usize, right: bool, blockers: usize) -> usize {
    let mut far = 1;
    while far < length {
        let at = if right { file + far } else { file - far };
        if blockers >> at & 1 == 1 {
            break;
        }
        far += 1;
    }
    far - 1
}

const fn all() -> [[u8; 64]; 64] {
    let mut all = [[0; 64]; 64];
    let mut square = 0;
    while square < 64 {
        let ([left, right], file) = (sides(square), square % 8);
        let mut inner = 0;
        while inner < 64 {
            let blockers = inner << 1;
            let to_left = beyond(file, left, false, blockers);
            let to_right = beyond(file, right, true, blockers);
            all[square][inner] = (to_left + to_right * (if left == 0 { 1 } else { left })) as u8;
            inner += 1;
        }
        square += 1;
    }
    all
}

/// The number of what a slider sees on the diagonal that goes up through a square, by that square and by the blockers on the six
/// inner files. A blocker on the last square of the line changes nothing, so the outer files are left out.
///
/// From A1 to H8 the diagonal is as long as a rank or a file, for which it stands as well.
pub(crate) static SIGHTS: [[u8; 64]; 64] = all();
