#!/usr/bin/env bash
# A client with curl --retry, which waits for Retry-After.
set -u
send() {
  curl --silent --show-error --noproxy '*' --retry 5 --header "Authorization: Bearer $PETSPEC_API_KEY" "$@"
}
send "$PETSPEC_BASE_URL/pets?limit=10"
send "$PETSPEC_BASE_URL/pets" --header 'Content-Type: application/json' --data '{"name":"Rex","categoryId":1}'
send "$PETSPEC_API_URL/messages" --header 'Content-Type: application/json' --data '{"message":"hello"}'
