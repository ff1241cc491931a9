"""Pictures of boards."""
