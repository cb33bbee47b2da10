set verbose 1
set fwd csum
port stop all
csum set ip hw 1
csum set udp hw 1
csum set tcp hw 1
csum set sctp hw 1
csum set outer-ip hw 1
csum set outer-udp hw 1
csum parse-tunnel on 1
rx_vxlan_port add 4789 0
port start all
set promisc all on
