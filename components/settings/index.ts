export { findSettingsSection, sharedSections } from "./settings-sections";
export { SettingsView } from "./settings-view";
