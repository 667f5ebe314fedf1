//! The match equity table: the chance of winning a match, by the points that both sides still need.
//!
//! The numbers are the Kazaross-XG2 table, which Neil Kazaross published in 2011 from rollouts by eXtreme Gammon 2.

use crate::backgammon::computer::chances::CERTAIN;

/// The longest match in the table.
const MAX_LENGTH: usize = 15;
/// A chance of 1, in the units of the table.
const CERTAIN_IN_TABLE: i64 = 100_000;

/// The chances up to and including the Crawford game, in 1/100000. The row is the number of points the side needs, the
/// column the number its opponent needs.
const PRE_CRAWFORD: [[i64; MAX_LENGTH]; MAX_LENGTH] = [
    [50000, 67736, 75076, 81436, 84179, 88731, 90724, 93250, 94402, 95928, 96644, 97553, 97984, 98527, 98789],
    [32264, 50000, 59947, 66870, 74359, 79940, 84225, 87539, 90197, 92303, 93931, 95247, 96250, 97070, 97689],
    [24924, 40053, 50000, 57150, 64795, 71123, 76209, 80468, 84017, 87064, 89442, 91483, 93070, 94443, 95493],
    [18564, 33130, 42850, 50000, 57732, 64285, 69924, 74577, 78799, 82406, 85396, 87914, 90023, 91804, 93266],
    [15821, 25641, 35205, 42268, 50000, 56635, 62638, 67786, 72540, 76706, 80273, 83365, 85993, 88287, 90201],
    [11269, 20060, 28877, 35715, 43365, 50000, 56261, 61636, 66787, 71306, 75343, 78863, 81957, 84665, 87000],
    [9276, 15775, 23791, 30076, 37362, 43739, 50000, 55480, 60854, 65628, 70021, 73905, 77412, 80520, 83257],
    [6750, 12461, 19532, 25423, 32214, 38364, 44520, 50000, 55442, 60372, 64990, 69136, 72945, 76359, 79440],
    [5598, 9803, 15983, 21201, 27460, 33213, 39146, 44558, 50000, 55020, 59793, 64148, 68212, 71893, 75281],
    [4072, 7697, 12936, 17594, 23294, 28694, 34372, 39628, 44980, 50000, 54855, 59346, 63588, 67483, 71111],
    [3356, 6069, 10558, 14604, 19727, 24657, 29979, 35010, 40207, 45145, 50000, 54555, 58924, 62974, 66793],
    [2447, 4753, 8517, 12086, 16635, 21137, 26095, 30864, 35852, 40654, 45445, 50000, 54407, 58570, 62526],
    [2016, 3750, 6930, 9977, 14007, 18043, 22588, 27055, 31788, 36412, 41076, 45593, 50000, 54194, 58254],
    [1473, 2930, 5557, 8196, 11713, 15335, 19480, 23641, 28107, 32517, 37026, 41430, 45806, 50000, 54075],
    [1211, 2311, 4507, 6734, 9799, 13000, 16743, 20560, 24719, 28889, 33207, 37474, 41746, 45925, 50000],
];

/// The chances after the Crawford game by the number of points the side needs, when its opponent needs one.
const POST_CRAWFORD: [i64; MAX_LENGTH] =
    [50000, 48803, 32264, 31002, 19012, 18072, 11559, 10906, 6953, 6516, 4207, 3906, 2537, 2343, 1530];

/// Returns a side's chance of winning the match, in 1/65536, by the points that it and its opponent need.
///
/// `is_post_crawford` says whether the Crawford game is over when the next game begins.
pub fn win_chance(own: u32, theirs: u32, is_post_crawford: bool) -> i64 {
    let index = |away: u32| (away as usize).clamp(1, MAX_LENGTH) - 1;
    let chance = match (own, theirs) {
        (0, _) => CERTAIN_IN_TABLE,
        (_, 0) => 0,
        (own, 1) if is_post_crawford => POST_CRAWFORD[index(own)],
        (1, theirs) if is_post_crawford => CERTAIN_IN_TABLE - POST_CRAWFORD[index(theirs)],
        (own, theirs) => PRE_CRAWFORD[index(own)][index(theirs)],
    };
    chance * i64::from(CERTAIN) / CERTAIN_IN_TABLE
}
