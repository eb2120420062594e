"""Generated scenarios: what is drawn, what is promised of it, how it is swept, and what made it fail."""
