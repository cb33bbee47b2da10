/* SPDX-License-Identifier: BSD-3-Clause */

/* Flow rules: the lower port's, whose queues have the same numbers. */

#include <rte_flow.h>
#include <rte_flow_driver.h>

#include "pass.h"
#include "soft_csum.h"

static int
validate(struct rte_eth_dev *dev, const struct rte_flow_attr *attr,
	 const struct rte_flow_item pattern[], const struct rte_flow_action actions[],
	 struct rte_flow_error *error)
{
	return rte_flow_validate(soft_csum_lower(dev), attr, pattern, actions, error);
}

static struct rte_flow *
create(struct rte_eth_dev *dev, const struct rte_flow_attr *attr,
       const struct rte_flow_item pattern[], const struct rte_flow_action actions[],
       struct rte_flow_error *error)
{
	return rte_flow_create(soft_csum_lower(dev), attr, pattern, actions, error);
}

static int
destroy(struct rte_eth_dev *dev, struct rte_flow *flow, struct rte_flow_error *error)
{
	return rte_flow_destroy(soft_csum_lower(dev), flow, error);
}

static int
flush(struct rte_eth_dev *dev, struct rte_flow_error *error)
{
	return rte_flow_flush(soft_csum_lower(dev), error);
}

static int
query(struct rte_eth_dev *dev, struct rte_flow *flow, const struct rte_flow_action *action,
      void *data, struct rte_flow_error *error)
{
	return rte_flow_query(soft_csum_lower(dev), flow, action, data, error);
}

static int
isolate(struct rte_eth_dev *dev, int set, struct rte_flow_error *error)
{
	return rte_flow_isolate(soft_csum_lower(dev), set, error);
}

static int
dump(struct rte_eth_dev *dev, struct rte_flow *flow, FILE *file, struct rte_flow_error *error)
{
	return rte_flow_dev_dump(soft_csum_lower(dev), flow, file, error);
}

static int
aged(struct rte_eth_dev *dev, void **contexts, uint32_t nb, struct rte_flow_error *error)
{
	return rte_flow_get_aged_flows(soft_csum_lower(dev), contexts, nb, error);
}

static struct rte_flow_action_handle *
action_create(struct rte_eth_dev *dev, const struct rte_flow_indir_action_conf *conf,
	      const struct rte_flow_action *action, struct rte_flow_error *error)
{
	return rte_flow_action_handle_create(soft_csum_lower(dev), conf, action, error);
}

static int
action_destroy(struct rte_eth_dev *dev, struct rte_flow_action_handle *handle,
	       struct rte_flow_error *error)
{
	return rte_flow_action_handle_destroy(soft_csum_lower(dev), handle, error);
}

static int
action_update(struct rte_eth_dev *dev, struct rte_flow_action_handle *handle, const void *update,
	      struct rte_flow_error *error)
{
	return rte_flow_action_handle_update(soft_csum_lower(dev), handle, update, error);
}

static int
action_query(struct rte_eth_dev *dev, const struct rte_flow_action_handle *handle, void *data,
	     struct rte_flow_error *error)
{
	return rte_flow_action_handle_query(soft_csum_lower(dev), handle, data, error);
}

static const struct rte_flow_ops flow_ops = {
	.validate = validate,
	.create = create,
	.destroy = destroy,
	.flush = flush,
	.query = query,
	.isolate = isolate,
	.dev_dump = dump,
	.get_aged_flows = aged,
	.action_handle_create = action_create,
	.action_handle_destroy = action_destroy,
	.action_handle_update = action_update,
	.action_handle_query = action_query,
};

int
soft_csum_flow_ops_get(struct rte_eth_dev *dev __rte_unused, const struct rte_flow_ops **ops)
{
	*ops = &flow_ops;
	return 0;
}
