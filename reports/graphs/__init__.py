"""A run as graphs of networkx: dependencies of transactions, the lineage of versions, who waited for whose lock."""
