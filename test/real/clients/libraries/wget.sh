#!/usr/bin/env bash
# A client of projects.yaml with wget, which tries again after statuses that it is told.
set -euo pipefail
send() {
  wget --quiet --no-proxy --output-document=- --tries=5 --waitretry=5 --retry-on-http-error=429,503 \
    --header="Authorization: Bearer $PETSPEC_API_KEY" "$@"
}
base="$PETSPEC_BASE_URL/projects"
send "$base?limit=10" > /dev/null
id=$(send --header='Content-Type: application/json' --post-data='{"name":"Roof","state":"open"}' "$base" |
  grep -o 'prj_[a-z0-9]*' | head -n 1)
send "$base/$id" > /dev/null
send --method=DELETE "$base/$id"
