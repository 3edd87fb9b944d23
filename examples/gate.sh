#!/bin/sh
# gate.sh TITLE [NAME=VALUE...]: ask for an approval and wait for it. Status 0: go on. Anything else: don't.
# Needs curl, HOLDPOINT_SERVER and HOLDPOINT_TOKEN. HOLDPOINT_REQUEST names the request: a job that is
# started again with the same name attaches to it. HOLDPOINT_CLAIM names this run: only it may use it.
set -u
title=$1; shift
for field; do set -- "$@" --data-urlencode "$field"; shift; done
while :; do
  code=$(curl -sS -o gate.json -w '%{http_code}' --max-time 60 -H "Authorization: Bearer $HOLDPOINT_TOKEN" \
    --data-urlencode "title=$title" --data-urlencode "request_id=$HOLDPOINT_REQUEST" --data-urlencode "claim_id=$HOLDPOINT_CLAIM" \
    "$@" "$HOLDPOINT_SERVER/api/v1/gate?wait=30s") || code=000
  case $code in
    200) exit 0 ;;
    202) ;;
    000 | 429 | 5??) sleep 1 ;;
    *) cat gate.json >&2; exit 1 ;;
  esac
done
