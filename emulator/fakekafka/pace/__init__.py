"""How long a real cluster takes for what happens at once here, unless `pace="lifelike"` is asked for."""
