"""The paper's model, in readable code: each definition stands where its name says."""
