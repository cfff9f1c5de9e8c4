export { PreferenceQuestion } from "./preference-question";
export { type Preferences, readPreferences } from "./preferences";
export { PreferencesMenu } from "./preferences-menu";
export { PreferencesProvider } from "./preferences-provider";
export { usePreferences } from "./use-preferences";
