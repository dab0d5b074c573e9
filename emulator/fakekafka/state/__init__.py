"""What a cluster knows, as plain data: topics, settings, ACLs and configs."""
