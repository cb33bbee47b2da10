show port info 0
show port info 7
show port summary all
show port summary 1
show port stats all
show port 0 rx_offload capabilities
show port 0 tx_offload capabilities
show rxq info 0 0
show txq info 0 0
show rxq info 0 5
port config 0 tx_offload udp_cksum on
port config mtu 0 1400
port config mtu 0 20
port config all rxq 1
tso set 800 0
tunnel_tso set 800 0
csum set ip hw 0
csum set ip hw 7
csum show 7
set promisc 0 off
set promisc 0 on
set allmulti 0 on
set link-down port 0
set link-up port 0
port stop 0
port stop 0
start
port config 0 tx_offload udp_cksum on
port config 0 tx_offload nonsense on
show port 0 tx_offload configuration
csum set tcp hw 0
csum mac-swap off 0
csum parse-tunnel off 0
tunnel_tso set 800 0
tunnel_tso show 0
csum parse-tunnel on 0
tunnel_tso set 800 0
csum set outer-ip hw 0
tunnel_tso set 800 0
tunnel_tso show 0
tunnel_tso set 0 0
tso set 800 0
tso show 0
tso set 0 0
tso show 0
port start 0
port start 0
show port 0 tx_offload configuration
port reset 0
port close 0
port detach 0
port stop all
port config all rxq 1
port config all txq 1
port config all rxq 20000
port config all rxd 256
port config all txd 256
port config all max-pkt-len 30
port start all
show txq info 0 0
clear port stats 0
clear port xstats all
port attach net_null9
port attach nonsense
show port summary 4
port detach 4
port start 9
nonsense
load /nonexistent/file
