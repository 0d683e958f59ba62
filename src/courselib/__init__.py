"""Auto-graded exercises and self-check quizzes for a Bangla lesson on GPUs in PyTorch."""

__version__ = "0.1.0"
