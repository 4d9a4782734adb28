"""Motion rings: looped gaits, bundled, that obey the stick on any terrain ([rings])."""
