"""Measuring a motion: contacts, plants, steps, keytimes, parameters, the certificate. Changes nothing."""
