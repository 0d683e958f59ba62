"""What a worker may use; a module of its own, because `sandbox` can be imported on Linux only and students' machines need the words."""

MEMORY = 2 * 2**30
PROCESSES = 64
CPU_SECONDS = 120
