"""``python -m generator.collect.reference`` runs the reference server alone."""

from generator.collect.reference.command import main

if __name__ == "__main__":
    main()
