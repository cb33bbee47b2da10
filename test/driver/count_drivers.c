/* SPDX-License-Identifier: BSD-3-Clause */

/*
 * To be loaded in front of a program (LD_PRELOAD): appends a line with its name to the file
 * DRIVERS_FILE for each driver of virtual devices that is registered, and registers it.
 */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include <bus_vdev_driver.h>

void
rte_vdev_register(struct rte_vdev_driver *driver)
{
	void (*next)(struct rte_vdev_driver *driver);
	const char *path = getenv("DRIVERS_FILE");
	FILE *file = path != NULL ? fopen(path, "a") : NULL;

	if (file != NULL) {
		fprintf(file, "%s\n", driver->driver.name);
		fclose(file);
	}
	*(void **)&next = dlsym(RTLD_NEXT, "rte_vdev_register");
	if (next == NULL)
		abort();
	next(driver);
}
