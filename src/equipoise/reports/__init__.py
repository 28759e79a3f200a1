"""Tables, figures and pages. Nothing here knows of priorities."""
