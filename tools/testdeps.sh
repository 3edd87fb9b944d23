#!/usr/bin/env bash
# Brings what the tests need beside Go. On a Debian machine where it runs as
# root it installs what is missing; elsewhere it says what is missing, and the
# tests that need it are skipped.
set -euo pipefail

# command:package, as Debian names it. gcc is for the race detector.
needs=(make:make gcc:gcc curl:curl setsid:util-linux tar:tar)

missing=()
for need in "${needs[@]}"; do
	command -v "${need%%:*}" >/dev/null || missing+=("${need##*:}")
done
[ -e /usr/include/stdlib.h ] || [ "$(uname -s)" != Linux ] || missing+=(libc6-dev)
[ ${#missing[@]} -gt 0 ] || exit 0

if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
	apt-get update -q
	DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends "${missing[@]}"
else
	echo "MISSING: ${missing[*]}. Tests that need them will be skipped; install them and run again." >&2
fi
