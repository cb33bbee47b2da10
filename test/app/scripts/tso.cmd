set verbose 1
port stop all
csum set ip hw 1
csum set udp hw 1
csum set tcp hw 1
csum set sctp hw 1
csum set outer-ip hw 1
csum set outer-udp hw 1
csum parse-tunnel on 1
tso set 800 1
tso show 1
tunnel_tso set 800 1
tunnel_tso show 1
port start all
tso set 900 1
set promisc all on
set fwd csum
