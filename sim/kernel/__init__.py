"""The event loop and what it is made of: tasks, timers, choices, faults, schedules, the escape detector."""
