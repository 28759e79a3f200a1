"""What is believed of a person after some answers."""
