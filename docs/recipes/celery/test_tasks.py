import pytest
from celery.contrib.testing.worker import start_worker
from kombu import Connection
from tasks import app, bill, done


@pytest.fixture
def url(fake_kafka):
    return f"confluentkafka://{fake_kafka.bootstrap_servers}"


def test_kombu_gets_what_it_put(url):
    with Connection(url) as connection:
        queue = connection.SimpleQueue("orders")
        queue.put({"thing": "apples"})
        message = queue.get(timeout=20)
        message.ack()
        assert message.payload == {"thing": "apples"}
        queue.close()


def test_a_worker_does_what_was_ordered(url, fake_kafka):
    app.conf.update(broker_url=url, worker_send_task_events=False)
    with start_worker(app, perform_ping_check=False, pool="solo", shutdown_timeout=60):
        bill.delay("apples")
        fake_kafka.wait_for_commit("celery-consumer-group", "celery", timeout=30)
    assert done == ["apples"]
