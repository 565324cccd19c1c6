"""What the packages share: compiled code, searches, arithmetic, checks; nothing is public."""
