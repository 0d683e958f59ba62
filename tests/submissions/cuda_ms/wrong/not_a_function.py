# fails: median_of_reps call_count reps_below_one
# cuda_ms is a number.
cuda_ms = 17.571
