"""Every compiled function. Each says the same as a readable one elsewhere, and tests hold them."""
