import { useTranslations } from "next-intl";
import { useEffect, useId, useState } from "react";
import { auditResults } from "@/lib/common/contract";

/** What the address chooses, in the words of the API's query; empty: anything. */
export interface AuditChoice {
  readonly actor: string;
  readonly action: string;
  readonly target: string;
  readonly project: string;
  readonly result: string;
  /** Days, as `2026-01-31`. */
  readonly from: string;
  readonly to: string;
}

/** Nothing chosen. */
export const noChoice: AuditChoice = {
  actor: "",
  action: "",
  target: "",
  project: "",
  result: "",
  from: "",
  to: "",
};

/** What of the audit log is shown: chosen, and then asked for. */
export function AuditFilters({
  chosen,
  seesAll,
  onChoose,
}: {
  readonly chosen: AuditChoice;
  /** Whether entries of other projects are shown as well. */
  readonly seesAll: boolean;
  readonly onChoose: (choice: AuditChoice) => void;
}) {
  const t = useTranslations("auditLog");
  const id = useId();
  const [typed, setTyped] = useState(chosen);
  // Going back in the browser chooses as well.
  useEffect(() => setTyped(chosen), [chosen]);
  const isChosen = Object.values(chosen).some((value) => value !== "");
  const field = (
    name: "actor" | "action" | "target" | "project" | "from" | "to",
    type: "text" | "date",
  ) => (
    <div key={name} className="min-w-0 flex-1 basis-36">
      <label htmlFor={`${id}-${name}`} className="label mb-1 block">
        {t(`filters.${name}`)}
      </label>
      <input
        id={`${id}-${name}`}
        type={type}
        maxLength={200}
        className="field h-8 w-full text-dense"
        placeholder={type === "text" ? t(`examples.${name as "actor"}`) : undefined}
        value={typed[name]}
        onChange={({ target }) => setTyped({ ...typed, [name]: target.value })}
      />
    </div>
  );
  return (
    <search>
      <form
        className="mb-4 flex flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          onChoose(typed);
        }}
      >
        {field("actor", "text")}
        {field("action", "text")}
        {field("target", "text")}
        {seesAll ? field("project", "text") : null}
        <div className="min-w-0 flex-1 basis-36">
          <label htmlFor={`${id}-result`} className="label mb-1 block">
            {t("filters.result")}
          </label>
          <select
            id={`${id}-result`}
            className="field h-8 w-full text-dense"
            value={typed.result}
            onChange={({ target }) => setTyped({ ...typed, result: target.value })}
          >
            <option value="">{t("anyResult")}</option>
            {auditResults.map((each) => (
              <option key={each} value={each}>
                {t(`results.${each}`)}
              </option>
            ))}
          </select>
        </div>
        {field("from", "date")}
        {field("to", "date")}
        <button type="submit" className="btn btn-dense">
          {t("show")}
        </button>
        {isChosen ? (
          <button
            type="button"
            className="btn btn-quiet btn-dense"
            onClick={() => onChoose(noChoice)}
          >
            {t("clear")}
          </button>
        ) : null}
      </form>
    </search>
  );
}
