"""More than one machine: a driver hands a class's works to the workers of a Dask cluster, each with a desk of slots."""
