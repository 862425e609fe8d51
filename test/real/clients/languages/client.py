"""A client of petstore.yaml with urllib. Without a name of a mistake it makes none."""
import email.utils
import http.client
import json
import os
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

BASE, KEY = os.environ["PETSPEC_BASE_URL"], os.environ["PETSPEC_API_KEY"]
MISTAKE = sys.argv[1] if len(sys.argv) > 1 else None
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def pause_of(headers):
    """Seconds until the service may be asked again, by its own clock."""
    after = headers.get("Retry-After")
    if MISTAKE == "own-pause" or after is None:
        return 1
    if after.isdigit():
        return int(after)
    now = time.time()
    if MISTAKE != "own-clock":
        now = email.utils.parsedate_to_datetime(headers["Date"]).timestamp()
    return max(0, email.utils.parsedate_to_datetime(after).timestamp() - now) + 1


def send(method, path, body=None):
    headers = {"X-Store-Key": KEY}
    if MISTAKE == "key-in-query":
        path += ("&" if "?" in path else "?") + "api_key=" + KEY
    data = None
    if body is not None:
        data = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    for _ in range(5):
        try:
            request = urllib.request.Request(BASE + path, data, headers, method=method)
            with opener.open(request) as response:
                text = response.read()
                return json.loads(text) if text else None
        except urllib.error.HTTPError as error:
            if error.code not in (429, 500, 503):
                raise
            time.sleep(pause_of(error.headers) + 0.1)
        except (http.client.HTTPException, OSError):
            pass
    raise SystemExit("refused five times")


status = "Available" if MISTAKE == "wrong-status" else "available"
send("GET", "/pet/findByStatus?" + urllib.parse.urlencode({"status": status}))
pet = send("POST", "/pet", {"name": "Rex", "photoUrls": [], "status": "available"})
pet = send("GET", f"/pet/{pet['id']}")
send("PUT", f"/pet/{pet['id']}", {"name": "Max", "photoUrls": [], "category": {"id": pet["id"], "name": "dogs"}})
send("DELETE", f"/pet/{pet['id']}")
