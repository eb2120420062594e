"""What a person reads: sentences, pictures, HTML, JUnit and step summaries. Knows nothing of command lines."""
