"""How releases behave, by area: one module and one class each. `behaviour` says how a field is written.

A field is added to its area with one entry, and code asks for it by name: `profile.groups.empty_group_id`. What only
the version of a request decides is not a behaviour; it stands in the message or in that API's handler.
"""
