"""Golden motions: requests as data, recorded once, and made again by every checkout and on every CPU.

    requests/*.json    what is asked: requests, by system
    adapters.py        knows today's API: a system's name to the function that asks it
    parts.py           the same for parts that no motion shows by itself
    sources.py         clips, models and grounds that requests name
    facts.py           a result as a record of discrete facts, numbers and joint places
    perturbed/         decisions whose inputs are off by 1e-9: motions must be the same
    record.py          writes the records of this checkout to a file
    recorded.json      the records that `test_golden.py` compares with, one line each

A record holds what a motion is, not how it was made: `tools/compare_motions.py` compares two files of records
that were written by different checkouts, whatever their modules are called.

A request that names a capture is left out where the captures are not (see `tests/captures.py`). Records hold
synthesized motion only, never a captured frame.
"""
