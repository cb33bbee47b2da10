#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Install the Debian packages named on the command line that are missing. Says what it installs;
# quiet otherwise. Uses sudo, for apt-get alone, where the caller is not root.

set -eu

missing=
for package in "$@"; do
	dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q " installed\$" ||
		missing="$missing $package"
done
[ -n "$missing" ] || exit 0

sudo=
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || {
		echo "Missing packages:$missing. Install them with apt-get as root." >&2
		exit 1
	}
	sudo=sudo
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "Installing:$missing" >&2
$sudo env DEBIAN_FRONTEND=noninteractive sh -c '
	apt-get -qq update && apt-get -qq install -y --no-install-recommends "$@"' sh $missing \
	>"$log" 2>&1 || {
	cat "$log" >&2
	echo "apt-get could not install:$missing" >&2
	exit 1
}
