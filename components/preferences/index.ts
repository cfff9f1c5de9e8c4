export { PreferenceQuestion } from "./preference-question";
export { PreferenceQuestions } from "./preference-questions";
export { type Preferences, readPreferences } from "./preferences";
export { PreferencesMenu } from "./preferences-menu";
export { PreferencesProvider } from "./preferences-provider";
export { usePreferences } from "./use-preferences";
