"""What a person has to decide: one question a subject, with evidence, a suggestion, a reason.

A decision becomes a fact in the store. Nothing here knows the network.
"""
