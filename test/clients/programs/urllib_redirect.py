"""A client with urllib and its defaults: it follows redirects with all headers."""
import os
import urllib.error
import urllib.request

BASE, KEY = os.environ["PETSPEC_BASE_URL"], os.environ["PETSPEC_API_KEY"]
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
request = urllib.request.Request(f"{BASE}/pets?limit=5", headers={"Authorization": f"Bearer {KEY}"})
try:
    opener.open(request).read()
except urllib.error.HTTPError as error:
    print(error.code)
