/* SPDX-License-Identifier: BSD-3-Clause */

/* Operations on hardware: net_script has none, and keeps what it was called with. */

#include <ethdev_driver.h>

#include "script_ops.h"

struct script_device script_device;

static int
note(const char *op, uint64_t arg, uint64_t arg2)
{
	script_device = (struct script_device){ op, { arg, arg2 } };
	return 0;
}

#define OP(name) \
static int \
name(struct rte_eth_dev *dev) \
{ \
	(void)dev; \
	return note(#name, 0, 0); \
}

#define OP_ONE(name, type) \
static int \
name(struct rte_eth_dev *dev, type arg) \
{ \
	(void)dev; \
	return note(#name, (uint64_t)arg, 0); \
}

#define OP_TWO(name, type, type2) \
static int \
name(struct rte_eth_dev *dev, type arg, type2 arg2) \
{ \
	(void)dev; \
	return note(#name, (uint64_t)arg, (uint64_t)arg2); \
}

OP_ONE(pfc_set, struct rte_eth_pfc_conf *)
OP_ONE(pfc_queue_set, struct rte_eth_pfc_queue_conf *)
OP_TWO(rate_limit, uint16_t, uint32_t)
OP_ONE(dcb_info, struct rte_eth_dcb_info *)
OP_ONE(cman_info, struct rte_eth_cman_info *)
OP_ONE(cman_init, struct rte_eth_cman_config *)
OP_ONE(cman_set, const struct rte_eth_cman_config *)
OP_ONE(cman_get, struct rte_eth_cman_config *)
OP_TWO(avail_thresh_set, uint16_t, uint8_t)
OP_TWO(avail_thresh_query, uint16_t *, uint8_t *)
OP(timesync_enable)
OP(timesync_disable)
OP_TWO(timesync_rx, struct timespec *, uint32_t)
OP_ONE(timesync_tx, struct timespec *)
OP_ONE(timesync_adjust, int64_t)
OP_ONE(timesync_read, struct timespec *)
OP_ONE(timesync_write, const struct timespec *)
OP_ONE(clock_read, uint64_t *)
OP_TWO(fw_version, char *, size_t)
OP_ONE(registers, struct rte_dev_reg_info *)
OP(eeprom_length)
OP_ONE(eeprom_get, struct rte_dev_eeprom_info *)
OP_ONE(eeprom_set, struct rte_dev_eeprom_info *)
OP_ONE(module_info, struct rte_eth_dev_module_info *)
OP_ONE(module_eeprom, struct rte_dev_eeprom_info *)
OP(led_on)
OP(led_off)
OP_TWO(fec_capability, struct rte_eth_fec_capa *, unsigned int)
OP_ONE(fec_get, uint32_t *)
OP_ONE(fec_set, uint32_t)
OP_ONE(metadata_negotiate, uint64_t *)

/* ethdev asks it before it configures a queue. */
static int
pfc_queue_info(struct rte_eth_dev *dev, struct rte_eth_pfc_queue_info *info)
{
	(void)dev;
	info->tc_max = 8;
	info->mode_capa = RTE_ETH_FC_FULL;
	return note("pfc_queue_info", (uint64_t)info, 0);
}

void
script_device_ops_add(struct eth_dev_ops *ops)
{
	ops->priority_flow_ctrl_set = pfc_set;
	ops->priority_flow_ctrl_queue_info_get = pfc_queue_info;
	ops->priority_flow_ctrl_queue_config = pfc_queue_set;
	ops->set_queue_rate_limit = rate_limit;
	ops->get_dcb_info = dcb_info;
	ops->cman_info_get = cman_info;
	ops->cman_config_init = cman_init;
	ops->cman_config_set = cman_set;
	ops->cman_config_get = cman_get;
	ops->rx_queue_avail_thresh_set = avail_thresh_set;
	ops->rx_queue_avail_thresh_query = avail_thresh_query;
	ops->timesync_enable = timesync_enable;
	ops->timesync_disable = timesync_disable;
	ops->timesync_read_rx_timestamp = timesync_rx;
	ops->timesync_read_tx_timestamp = timesync_tx;
	ops->timesync_adjust_time = timesync_adjust;
	ops->timesync_read_time = timesync_read;
	ops->timesync_write_time = timesync_write;
	ops->read_clock = clock_read;
	ops->fw_version_get = fw_version;
	ops->get_reg = registers;
	ops->get_eeprom_length = eeprom_length;
	ops->get_eeprom = eeprom_get;
	ops->set_eeprom = eeprom_set;
	ops->get_module_info = module_info;
	ops->get_module_eeprom = module_eeprom;
	ops->dev_led_on = led_on;
	ops->dev_led_off = led_off;
	ops->fec_get_capability = fec_capability;
	ops->fec_get = fec_get;
	ops->fec_set = fec_set;
	ops->rx_metadata_negotiate = metadata_negotiate;
}
