"""What the clock does now and then: it deletes what is old, and writes to the operator."""
