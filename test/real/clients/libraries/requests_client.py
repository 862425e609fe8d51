"""A client of projects.yaml with requests, and retries of urllib3 as the documentation of requests shows."""
import os

import requests
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

BASE = os.environ["PETSPEC_BASE_URL"] + "/projects"
session = requests.Session()
session.trust_env = False
session.headers["Authorization"] = f"Bearer {os.environ['PETSPEC_API_KEY']}"
session.mount("http://", HTTPAdapter(max_retries=Retry(total=3, backoff_factor=0.1, status_forcelist=[429, 502, 503, 504])))


def send(method, url, **options):
    response = session.request(method, url, **options)
    response.raise_for_status()
    return response.json() if response.content else None


send("GET", BASE, params={"limit": 10})
url = f"{BASE}/{send('POST', BASE, json={'name': 'Roof', 'state': 'open'})['data']['id']}"
send("GET", url)
send("DELETE", url)
