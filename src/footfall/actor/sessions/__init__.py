"""The papers' capture sessions, performed by the virtual actor ([papers] README, "Easy to miss")."""
