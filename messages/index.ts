import type { messages as english } from "./en";

/** All texts of the pages in one language, a namespace for each noun. The English ones are the measure of the others. */
export type Messages = typeof english;

const languages = {
  en: () => import("./en"),
  it: () => import("./it"),
};

/** The texts of one language. */
export async function loadMessages(language: keyof typeof languages): Promise<Messages> {
  return (await languages[language]()).messages;
}
