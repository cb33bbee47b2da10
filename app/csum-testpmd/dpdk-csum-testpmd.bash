# SPDX-License-Identifier: BSD-3-Clause
#
# Completion for bash. The options are those that the program names itself.

_dpdk_csum_testpmd()
{
	local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}

	COMPREPLY=()
	case $before in
	--validate | --replay | --write | --diff | --cmdline-file)
		compopt -o filenames
		mapfile -t COMPREPLY < <(compgen -f -- "$word")
		;;
	--color)
		mapfile -t COMPREPLY < <(compgen -W 'auto always never' -- "$word")
		;;
	--judge)
		mapfile -t COMPREPLY < <(compgen -W 'on off' -- "$word")
		;;
	--forward-mode)
		mapfile -t COMPREPLY < <(compgen -W \
			'io mac macswap flowgen rxonly txonly csum icmpecho' -- "$word")
		;;
	--vdev)
		compopt -o nospace
		mapfile -t COMPREPLY < <(compgen -W 'net_soft_csum0,lower= net_vnet_tap0,iface=
			net_pcap0,rx_pcap= net_af_packet0,iface= net_null0 net_ring0' -- "$word")
		;;
	--port-topology)
		mapfile -t COMPREPLY < <(compgen -W 'paired chained loop' -- "$word")
		;;
	*)
		[[ $word == -* ]] || return
		mapfile -t COMPREPLY < <(compgen -W \
			"$("$1" --help-all 2>/dev/null | grep -oE '^ +(-., )?--[a-z-]+' |
				grep -oE -- '--[a-z-]+')" -- "$word")
		;;
	esac
}
complete -F _dpdk_csum_testpmd dpdk-csum-testpmd
