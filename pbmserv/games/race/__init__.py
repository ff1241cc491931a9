"""Games in which whoever is first at the goal wins."""
