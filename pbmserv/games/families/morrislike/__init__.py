"""Games like nine men's morris."""
