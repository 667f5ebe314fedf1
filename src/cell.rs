//! "b2": the coordinates that all grid games share. Columns are letters, rows are numbers, a1 is at the bottom left.
