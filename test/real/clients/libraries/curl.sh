#!/usr/bin/env bash
# A client of projects.yaml with curl --retry, which waits for Retry-After.
set -euo pipefail
send() {
  curl --silent --show-error --fail --noproxy '*' --retry 5 --header "Authorization: Bearer $PETSPEC_API_KEY" "$@"
}
base="$PETSPEC_BASE_URL/projects"
send "$base?limit=10" > /dev/null
id=$(send "$base" --json '{"name":"Roof","state":"open"}' | grep -o 'prj_[a-z0-9]*' | head -n 1)
send "$base/$id" > /dev/null
send --request DELETE "$base/$id"
