import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";

/** What stands on the button that sends the form. */
export interface SubmitWords {
  readonly text: string;
  /** The keys that do the same; null while it is being sent. */
  readonly keys: string | null;
}

/** The words of the button, with the keys as this machine calls them. */
export function useSubmitWords(isRevision: boolean, isSending: boolean): SubmitWords {
  const t = useTranslations("deploy");
  const [keys, setKeys] = useState("Ctrl ↵");
  useEffect(() => {
    if (/Mac|iPhone|iPad/.test(navigator.userAgent)) setKeys("⌘↵");
  }, []);
  if (isSending) return { text: t(isRevision ? "adding" : "deploying"), keys: null };
  return { text: t(isRevision ? "add" : "deploy"), keys };
}
