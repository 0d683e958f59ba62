"""What a class hands in: layouts recognised, archives opened safely, students matched with a roster."""
