import preferences from "./preferences.json";
import shell from "./shell.json";

export const messages = { preferences, shell };
