import type { Engine } from "./engine";

/** Every engine of the installation, in the order in which people see them. */
export const engines: readonly Engine[] = [];
