"""The paper's figures and claims, from outcomes of its experiments."""
