import type { Messages } from ".";

declare module "next-intl" {
  interface AppConfig {
    Locale: "en" | "it";
    Messages: Messages;
  }
}
