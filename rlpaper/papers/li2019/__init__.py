"""Li, D'Souza, Schmit & Kum (2019): interactive linkage under a privacy budget."""
