"""Replies as mail programs write them, in many languages and layouts, and how well they are read.

The cases are written by hand, after what is known of the programs. Nothing is copied from real people's mail.
"""
