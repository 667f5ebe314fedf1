//! (comes from its branch)
pub const MAX_LINE: usize = 1 << 20;
pub fn respond(_: &str) -> String {
    String::new()
}
