"""Quizzes that check themselves: one YAML source, one set of marking rules, wherever a learner answers."""
