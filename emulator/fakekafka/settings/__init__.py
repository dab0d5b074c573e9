"""What the user asked for, before anything is created.

options          every option of a cluster, and of its single brokers; caps on API versions
blueprint        the options, checked by the rules of each broker's release
unknown_configs  properties that a release does not have
security         users, mechanisms, rules
tls              certificates
"""
