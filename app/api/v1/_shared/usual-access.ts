import type { EndpointAccess } from "@/lib/common/contract";
import { hasAccounts } from "@/lib/server/auth";

/** Who may ask an endpoint of which nothing is said: where people share an installation, its owner alone. */
export const usualAccess = (): EndpointAccess => (hasAccounts() ? "private" : "all");
