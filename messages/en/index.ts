import endpoints from "./endpoints.json";
import lists from "./lists.json";
import preferences from "./preferences.json";
import shell from "./shell.json";
import traffic from "./traffic.json";

export const messages = { endpoints, lists, preferences, shell, traffic };
