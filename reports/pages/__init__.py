"""What people read: HTML, text, JUnit, Markdown."""
