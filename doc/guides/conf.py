# SPDX-License-Identifier: BSD-3-Clause
"""Sphinx configuration of the guides; the layout is that of DPDK's own."""

project = "dpdk-csum"
copyright = "2026, the dpdk-csum authors"
html_theme = "alabaster"
html_show_copyright = False
html_show_sphinx = False
