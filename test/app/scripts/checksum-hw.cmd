set verbose 1
set fwd csum
port stop all
csum set ip hw 0
csum set udp hw 0
csum set tcp hw 0
csum set sctp hw 0
csum set ip hw 1
csum set udp hw 1
csum set tcp hw 1
csum set sctp hw 1
csum show 1
port start all
set promisc all on
show port 1 tx_offload configuration
