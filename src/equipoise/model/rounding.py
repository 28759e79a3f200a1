"""What is too small to mean anything."""

# Utilities, scores and distances here are of order one, and sums of them are off by far less than
# this. Two numbers nearer than this are equal on paper: a priority that is silent there must not
# speak because of rounding, nor prefer a side, nor may a tie between two rules be lost.
ROUNDING = 1e-12
