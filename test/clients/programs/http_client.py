"""A client with http.client, over one connection to each address."""
import email.utils
import http.client
import json
import os
import time
import urllib.parse

BASE, MESSAGES, KEY = (os.environ[f"PETSPEC_{name}"] for name in ("BASE_URL", "API_URL", "API_KEY"))


def connect(address):
    url = urllib.parse.urlsplit(address)
    return http.client.HTTPConnection(url.hostname, url.port), url.path


def send(connection, method, path, body=None):
    headers = {"Authorization": f"Bearer {KEY}"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    for attempt in range(5):
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        text = response.read()
        if response.status != 429:
            return text
        after = response.headers["Retry-After"]
        if after.isdigit():
            wait = int(after)
        else:
            wait = email.utils.parsedate_to_datetime(after).timestamp() - time.time()
        time.sleep(max(0, wait) * 1.5**attempt)


animals, base = connect(BASE)
send(animals, "GET", f"{base}/pets?status=available")
send(animals, "POST", f"{base}/pets", json.dumps({"name": "Rex", "categoryId": 3}))
messages, path = connect(MESSAGES)
send(messages, "POST", f"{path}/messages", json.dumps({"message": "hello"}))
