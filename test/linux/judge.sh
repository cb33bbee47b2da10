#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# Let this machine's stack judge a capture: in a network namespace of its own, send the frames to
# a receiver that expects their kind, and print the stack's counters before and after.
#
# usage: unshare -n judge.sh SENDER KIND FILE       SENDER is the program send-frames
#
# Prints "before", counters, "after", counters.

set -eu

sender=$1 kind=$2 file=$3

# What is to be set up, all of it by one process: an emulated machine starts few in a second.
commands=
add()
{
	commands="$commands$*
"
}

# The addresses of the test frames' receiver: plain or inside a tunnel, and of the tunnel itself.
inner()
{
	add addr add 10.0.0.2/24 dev "$1"
	add addr add 2001:db8::2/126 dev "$1" nodad
}

outer()
{
	add addr add 192.0.2.2/24 dev receiver
	add addr add 2001:db8::b/127 dev receiver nodad
}

# The device inside the tunnel. Its MAC address, if it has one, is that of the inner frames.
tunnel()
{
	outer
	add link add tunnel type "$@"
	case $1 in
	vxlan | geneve | gretap) add link set tunnel address 02:00:00:00:01:02 ;;
	esac
	inner tunnel
	add link set tunnel up
	receivers="receiver tunnel"
}

# tag PARENT NAME PROTOCOL ID
tag()
{
	add link add link "$1" name "$2" type vlan proto "$3" id "$4"
	add link set "$2" up
}

counters()
{
	cat /proc/net/snmp /proc/net/snmp6
	# Its other lines are many, and about connections.
	grep "^IpExt:" /proc/net/netstat
}

add link add sender type veth peer name receiver address 02:00:00:00:00:02
add link set lo up
add link set sender up
add link set receiver up
receivers=receiver
v4="local 192.0.2.2 remote 192.0.2.1"
v6="local 2001:db8::b remote 2001:db8::a"

# Options of tunnels are words.
# shellcheck disable=SC2086
case $kind in
vxlan | vxlan_checked) tunnel vxlan id 42 dstport 4789 local 192.0.2.2 dev receiver ;;
vxlan6_checked) tunnel vxlan id 42 dstport 4789 local 2001:db8::b dev receiver ;;
geneve) tunnel geneve id 42 dstport 6081 remote 192.0.2.1 ;;
geneve6_checked) tunnel geneve id 42 dstport 6081 remote 2001:db8::a ;;
gre) tunnel gre $v4 ;;
gre_all) tunnel gre $v4 ikey 7 icsum iseq ;;
nvgre) tunnel gretap $v4 ikey 7 ;;
gre6) tunnel ip6gre $v6 ikey 7 ;;
ipip) tunnel ipip $v4 ;;
sit) tunnel sit $v4 ;;
4in6) tunnel ip6tnl mode ipip6 $v6 ;;
6in6) tunnel ip6tnl mode ip6ip6 $v6 ;;
vlan)
	tag receiver tag 802.1q 100
	inner tag
	receivers="receiver tag"
	;;
qinq)
	tag receiver service 802.1ad 200
	tag service tag 802.1q 100
	inner tag
	receivers="receiver service tag"
	;;
*) inner receiver ;;
esac

printf %s "$commands" | ip -batch -
echo before
counters
# shellcheck disable=SC2086
"$sender" "$file" sender $receivers
# A busy machine takes its time: wait until nothing moves any more.
after=
while now=$(counters) && [ "$now" != "$after" ]; do
	after=$now
	sleep 0.2
done
echo after
echo "$after"
