"""What the packages share: compiled code, searches, arithmetic, progress; nothing here is public."""
