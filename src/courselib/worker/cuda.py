"""PROBES placeholder"""
PROBES = {}
