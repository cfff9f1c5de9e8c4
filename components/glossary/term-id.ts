import type { Messages } from "next-intl";

/** A word that the glossary explains. */
export type TermId = keyof Messages["glossary"]["terms"];
