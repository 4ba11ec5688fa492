"""From measurements to a choice: who leads where and how surely, rules for scenarios, targets, capacity. Pure."""
