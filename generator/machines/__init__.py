"""What each series ran on: the facts as records, what each can affect, and how series differ in them."""
