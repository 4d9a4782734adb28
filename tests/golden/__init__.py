"""Golden motions: requests as data, recorded once, and made again by every checkout and on every CPU.

    requests/*.json    what is asked: about eighty requests, by system
    adapters.py        the one file that knows today's API: a system's name to the function that asks it
    sources.py         clips, models and grounds that requests name
    facts.py           a result as a record of discrete facts, numbers and joint places
    record.py          writes the records of this checkout to a file
    recorded.json      the records that `test_golden.py` compares with, one line each

A record holds what a motion is, not how it was made: `tools/compare_motions.py` compares two files of records
that were written by different checkouts, whatever their modules are called.

A request that names a capture is left out where the captures are not (see `tests/captures.py`). Records hold
synthesized motion only, never a captured frame.
"""
