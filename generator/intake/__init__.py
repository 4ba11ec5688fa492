"""Other tools' files into the folder of a round: where each run belongs, and writing it there whole or not at all."""
