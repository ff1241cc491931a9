"""Games of other packages: a package that fails or that was removed harms nothing else."""
