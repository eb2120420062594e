"""SVG and PNG: space-time diagrams, cycles, charts, figures."""
