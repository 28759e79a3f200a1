"""What local questions can and cannot reveal of a person's priorities."""
