/** The parts of the settings, in order; each is the last part of its address. */
export const settingsSections = [
  "appearance",
  "account",
  "people",
  "notifications",
  "tokens",
  "activity",
  "quotas",
  "audit",
  "connections",
  "doctor",
  "storage",
  "about",
] as const;
/** A part of the settings. */
export type SettingsSection = (typeof settingsSections)[number];

/** Parts that there are where people sign in alone. */
export const sharedSections: ReadonlySet<SettingsSection> = new Set(["account", "people"]);

/** The part that an address names; null: it names none. */
export const findSettingsSection = (text: string): SettingsSection | null =>
  settingsSections.find((each) => each === text) ?? null;
