"""A client of projects.yaml with httpx, and the retries of its transport, which are for connections alone."""
import os

import httpx

BASE = os.environ["PETSPEC_BASE_URL"]
headers = {"Authorization": f"Bearer {os.environ['PETSPEC_API_KEY']}"}
with httpx.Client(transport=httpx.HTTPTransport(retries=3), headers=headers, trust_env=False) as client:

    def send(method, path, **options):
        response = client.request(method, BASE + path, **options)
        response.raise_for_status()
        return response.json() if response.content else None

    send("GET", "/projects", params={"limit": 10})
    path = f"/projects/{send('POST', '/projects', json={'name': 'Roof', 'state': 'open'})['data']['id']}"
    send("GET", path)
    send("DELETE", path)
