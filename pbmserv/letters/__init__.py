"""Which letters there are, who gets them, and what they say."""
