//! Sorting for move ordering.

/// Sorts a list by ascending key; the sort is stable.
///
/// It's an insertion sort, which is fastest for the short and nearly sorted lists of a search. It also has a twentieth of the
/// code size of a general sort, which the compiler would instantiate for each game's list types.
pub fn sort_by_key<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    for end in 1..list.len() {
        let item_key = key(&list[end]);
        let mut index = end;
        while index > 0 && item_key < key(&list[index - 1]) {
            list.swap(index, index - 1);
            index -= 1;
        }
    }
}
