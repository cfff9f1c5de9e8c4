import lists from "./lists.json";
import preferences from "./preferences.json";
import shell from "./shell.json";

export const messages = { lists, preferences, shell };
