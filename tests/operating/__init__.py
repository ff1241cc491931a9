"""What the operator has: status, doctor, backup."""
