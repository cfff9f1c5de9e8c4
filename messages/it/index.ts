import type { messages as english } from "../en";
import preferences from "./preferences.json";
import shell from "./shell.json";

export const messages: typeof english = { preferences, shell };
