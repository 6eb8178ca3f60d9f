"""The edge: everything that talks to disks, networks and models."""
