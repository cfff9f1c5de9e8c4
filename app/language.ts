import { getRequestConfig } from "next-intl/server";
import { loadMessages } from "@/messages";
import { readRequestPreferences } from "./request-preferences";

/** Gives `next-intl` the language of a request and its texts. Addresses carry no language: a link reads in the language of who opens it. */
export default getRequestConfig(async () => {
  const { language } = await readRequestPreferences();
  return { locale: language, messages: await loadMessages(language), timeZone: "UTC" };
});
