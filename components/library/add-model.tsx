"use client";

import { useTranslations } from "next-intl";
import { type ComponentType, useState } from "react";

/** Takes a model by its address or as a file, and shows its page once it was read. The dialog is loaded when it is first opened. */
export function AddModel() {
  const t = useTranslations("library.add");
  const [Loaded, setLoaded] = useState<ComponentType | null>(null);
  const load = () =>
    import("./add-model-dialog").then(
      ({ AddModelDialog }) => setLoaded(() => AddModelDialog),
      () => undefined,
    );
  if (Loaded) return <Loaded />;
  return (
    <button type="button" className="btn" aria-haspopup="dialog" onClick={() => void load()}>
      {t("button")}
    </button>
  );
}
