from celery import Celery

app = Celery("tasks")
done = []


@app.task(name="bill")
def bill(order):
    done.append(order)
