# SPDX-License-Identifier: BSD-3-Clause
#
# For scripts that fetch a package without installing it: sourced, not run. The machine's apt set-up
# stays as it is, and no root is needed. apt verifies signature and hash all the same.

# Have apt use the machine's own package sources, but as sources of one type, deb or deb-src, and
# with all that it writes in a folder.
# make_apt_conf TYPE FOLDER
make_apt_conf()
{
	mkdir -p "$2/sources" "$2/lists/partial" "$2/cache/archives/partial"
	for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[ -s "$list" ] || continue
		sed -n "s/^ *deb /$1 /p" "$list" >> "$2/sources/these.list"
	done
	for list in /etc/apt/sources.list.d/*.sources; do
		[ -s "$list" ] || continue
		sed "s/^Types:.*/Types: $1/" "$list" > "$2/sources/$(basename "$list")"
	done
	cat > "$2/apt.conf" <<-CONF
		Dir::Etc::sourcelist "/dev/null";
		Dir::Etc::sourceparts "$2/sources";
		Dir::State::lists "$2/lists";
		Dir::Cache "$2/cache";
		APT::Sandbox::User "";
		quiet "2";
	CONF
	export APT_CONFIG="$2/apt.conf"
}
