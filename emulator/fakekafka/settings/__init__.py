"""What the user asked for, before anything is created.

options          every option of a cluster, and of its single brokers
blueprint        the same, checked by the rules of each broker's release
caps             caps on the versions of APIs
unknown_configs  properties that a release does not have
security         users, mechanisms, rules
tls              certificates
"""
