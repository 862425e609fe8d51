"""A client with urllib: it lists, adds an animal and sends a message. It sends the key to no other origin."""
import email.utils
import json
import os
import time
import urllib.error
import urllib.request

BASE, MESSAGES, KEY = (os.environ[f"PETSPEC_{name}"] for name in ("BASE_URL", "API_URL", "API_KEY"))


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """urllib would send the key wherever it is redirected."""

    def redirect_request(self, *_):
        return None


opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect)


def send(url, body=None):
    headers = {"Authorization": f"Bearer {KEY}"}
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    for attempt in range(5):
        try:
            with opener.open(urllib.request.Request(url, data, headers)) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code != 429:
                return None
            after = error.headers["Retry-After"]
            if after.isdigit():
                wait = int(after)
            else:
                wait = email.utils.parsedate_to_datetime(after).timestamp() - time.time()
            time.sleep(max(0, wait) * 1.5**attempt)


animals = send(f"{BASE}/pets?limit=5")
category = animals[0]["categoryId"] if animals else 1
send(f"{BASE}/pets", {"name": "Rex", "categoryId": category})
send(f"{MESSAGES}/messages", {"message": "hello"})
