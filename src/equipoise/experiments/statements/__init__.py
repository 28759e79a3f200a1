"""The paper's statements, each as a computation of how far it is from true on an instance."""
