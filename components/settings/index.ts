export { connectionsQuery } from "./api";
export { findSettingsSection } from "./settings-sections";
export { SettingsView } from "./settings-view";
