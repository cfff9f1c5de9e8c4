import type { EndpointAccess } from "@/lib/common/contract";
import { hasAccounts } from "@/lib/server/auth";

/** Who may ask an endpoint of which nothing is said: where people share an installation, its project alone. */
export const usualAccess = (): EndpointAccess => (hasAccounts() ? "project" : "all");
