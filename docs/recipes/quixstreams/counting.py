from quixstreams import Application


def application(servers, state_dir):
    app = Application(
        broker_address=servers,
        consumer_group="counting",
        auto_offset_reset="earliest",
        state_dir=state_dir,
        processing_guarantee="exactly-once",
    )
    orders = app.topic("orders", value_deserializer="string")
    counts = app.topic("counts", value_serializer="integer")
    app.dataframe(orders).apply(count, stateful=True).to_topic(counts)
    return app


def count(order, state):
    seen = state.get("seen", 0) + 1
    state.set("seen", seen)
    return seen
