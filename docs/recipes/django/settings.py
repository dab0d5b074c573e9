import os

SECRET_KEY = "only-for-tests"
ROOT_URLCONF = "shop.urls"
INSTALLED_APPS = ["shop"]
KAFKA = os.environ.get("KAFKA", "127.0.0.1:9092")
