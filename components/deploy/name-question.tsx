"use client";

import { useTranslations } from "next-intl";
import { useTypedEarly } from "@/components/ui";
import { Question } from "./question";

/** Question 4: the name, which is also the address. */
export function NameQuestion({
  name,
  complaint,
  baseUrl,
  onName,
  onBlur,
}: {
  name: string;
  complaint: string | undefined;
  /** Where the gateway answers: `http://localhost:8000`. */
  baseUrl: string;
  onName: (name: string) => void;
  onBlur: () => void;
}) {
  const t = useTranslations("deploy.name");
  const field = useTypedEarly(name, onName);
  return (
    <Question number={4} title={t("title")} field="name" labelFor="name" complaint={complaint}>
      <input
        ref={field}
        id="name"
        className="field block max-w-[360px]"
        value={name}
        placeholder="digits-mlp"
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="none"
        aria-invalid={complaint !== undefined}
        aria-describedby={complaint ? "error-name address" : "address"}
        onChange={(event) => onName(event.target.value)}
        onBlur={onBlur}
      />
      <p id="address" className="mt-1.5 font-mono text-dense break-all text-muted">
        {baseUrl}/v2/models/{name || "…"}/infer
      </p>
    </Question>
  );
}

/** The same for a further revision: the name is there and stays. */
export function FixedName({
  name,
  complaint,
  baseUrl,
}: {
  name: string;
  complaint: string | undefined;
  baseUrl: string;
}) {
  const t = useTranslations("deploy.name");
  return (
    <Question number={4} title={t("fixedTitle")} field="name" complaint={complaint}>
      <p>{t.rich("fixed", { name, b: (words) => <b>{words}</b> })}</p>
      <p className="mt-1.5 font-mono text-dense break-all text-muted">
        {baseUrl}/v2/models/{name}/infer
      </p>
    </Question>
  );
}
