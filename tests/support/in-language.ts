import { NextIntlClientProvider } from "next-intl";
import { createElement, type ReactNode } from "react";
import { messages } from "@/messages/en";

/** Wraps what is drawn in a test so that it finds its texts, in English. */
export const inEnglish = (children: ReactNode) =>
  createElement(NextIntlClientProvider, { locale: "en", messages, timeZone: "UTC", children });
