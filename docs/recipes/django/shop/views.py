from confluent_kafka import Producer
from django.conf import settings
from django.http import JsonResponse


def order(request):
    failures = []
    producer = Producer({"bootstrap.servers": settings.KAFKA})
    producer.produce(
        "orders",
        request.POST["thing"].encode(),
        on_delivery=lambda error, message: failures.append(error) if error else None,
    )
    if producer.flush(10) or failures:
        return JsonResponse({"error": "the order is not stored"}, status=503)
    return JsonResponse({"ordered": request.POST["thing"]})
