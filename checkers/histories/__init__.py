"""Histories: the events, their file format, the one-line notation of tests, the recorder."""
