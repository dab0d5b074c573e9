"""The order of what an answer lists, as the release's maps give it back (`OrdersBehaviour` and its neighbours).

An arrangement runs after the handler and its guard, just before the answer is encoded, and puts the lists of the answer
in order, in place. `handlers.arrangement` finds it; the answers of other APIs stay in their handlers' order.
"""
