set verbose 1
set fwd csum
port stop all
csum set ip sw 0
csum set udp sw 0
csum set tcp sw 0
csum set ip sw 1
csum set udp sw 1
csum set tcp sw 1
port config 0 rx_offload ipv4_cksum on
port config 0 rx_offload udp_cksum on
port config 0 rx_offload tcp_cksum on
port start all
set promisc all on
show port 0 rx_offload configuration
