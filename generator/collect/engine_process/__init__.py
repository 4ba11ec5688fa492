"""The life of an engine: started, its words kept, waited for, timed from cold, and gone without a trace."""
