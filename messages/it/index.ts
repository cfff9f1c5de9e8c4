import type { messages as english } from "../en";
import lists from "./lists.json";
import preferences from "./preferences.json";
import shell from "./shell.json";

export const messages: typeof english = { lists, preferences, shell };
