/* SPDX-License-Identifier: BSD-3-Clause */

/* Operations on what belongs to the hardware of the lower port. */

#include "pass.h"
#include "soft_csum.h"

PASS_DOWN_ONE(pfc_set, rte_eth_dev_priority_flow_ctrl_set, struct rte_eth_pfc_conf *)
PASS_DOWN_ONE(pfc_queue_info, rte_eth_dev_priority_flow_ctrl_queue_info_get,
	struct rte_eth_pfc_queue_info *)
PASS_DOWN_ONE(pfc_queue_set, rte_eth_dev_priority_flow_ctrl_queue_configure,
	struct rte_eth_pfc_queue_conf *)
PASS_DOWN_TWO(rate_limit, rte_eth_set_queue_rate_limit, uint16_t, uint32_t)
PASS_DOWN_ONE(dcb_info, rte_eth_dev_get_dcb_info, struct rte_eth_dcb_info *)
PASS_DOWN_ONE(cman_info, rte_eth_cman_info_get, struct rte_eth_cman_info *)
PASS_DOWN_ONE(cman_init, rte_eth_cman_config_init, struct rte_eth_cman_config *)
PASS_DOWN_ONE(cman_set, rte_eth_cman_config_set, const struct rte_eth_cman_config *)
PASS_DOWN_ONE(cman_get, rte_eth_cman_config_get, struct rte_eth_cman_config *)
PASS_DOWN_TWO(avail_thresh_set, rte_eth_rx_avail_thresh_set, uint16_t, uint8_t)
PASS_DOWN_TWO(avail_thresh_query, rte_eth_rx_avail_thresh_query, uint16_t *, uint8_t *)

PASS_DOWN(timesync_enable, rte_eth_timesync_enable)
PASS_DOWN(timesync_disable, rte_eth_timesync_disable)
PASS_DOWN_TWO(timesync_rx, rte_eth_timesync_read_rx_timestamp, struct timespec *, uint32_t)
PASS_DOWN_ONE(timesync_tx, rte_eth_timesync_read_tx_timestamp, struct timespec *)
PASS_DOWN_ONE(timesync_adjust, rte_eth_timesync_adjust_time, int64_t)
PASS_DOWN_ONE(timesync_read, rte_eth_timesync_read_time, struct timespec *)
PASS_DOWN_ONE(timesync_write, rte_eth_timesync_write_time, const struct timespec *)
PASS_DOWN_ONE(clock_read, rte_eth_read_clock, uint64_t *)

PASS_DOWN_TWO(fw_version, rte_eth_dev_fw_version_get, char *, size_t)
PASS_DOWN_ONE(registers, rte_eth_dev_get_reg_info, struct rte_dev_reg_info *)
PASS_DOWN(eeprom_length, rte_eth_dev_get_eeprom_length)
PASS_DOWN_ONE(eeprom_get, rte_eth_dev_get_eeprom, struct rte_dev_eeprom_info *)
PASS_DOWN_ONE(eeprom_set, rte_eth_dev_set_eeprom, struct rte_dev_eeprom_info *)
PASS_DOWN_ONE(module_info, rte_eth_dev_get_module_info, struct rte_eth_dev_module_info *)
PASS_DOWN_ONE(module_eeprom, rte_eth_dev_get_module_eeprom, struct rte_dev_eeprom_info *)
PASS_DOWN(led_on, rte_eth_led_on)
PASS_DOWN(led_off, rte_eth_led_off)
PASS_DOWN_TWO(fec_capability, rte_eth_fec_get_capability, struct rte_eth_fec_capa *, unsigned int)
PASS_DOWN_ONE(fec_get, rte_eth_fec_get, uint32_t *)
PASS_DOWN_ONE(fec_set, rte_eth_fec_set, uint32_t)
PASS_DOWN_ONE(metadata_negotiate, rte_eth_rx_metadata_negotiate, uint64_t *)
