"""Games about lines and chains: who connects first."""
