import { useTranslations } from "next-intl";
import type { OptionField } from "./option-fields";
import { ValueControl } from "./value-control";

/** A labelled control for one plain option, with its text below. */
export function OptionControl({
  field,
  value,
  onChange,
}: {
  field: OptionField;
  value: unknown;
  onChange: (value: unknown) => void;
}) {
  const t = useTranslations("deploy.options");
  const id = `option-${field.name}`;
  return (
    <div>
      <label htmlFor={id} className="label block">
        {field.title}
      </label>
      <ValueControl
        id={id}
        field={field}
        choices={field.kind === "boolean" ? ["true", "false"] : field.choices}
        value={value}
        usual={field.fallback === undefined ? t("fitted") : String(field.fallback)}
        describedBy={`${id}-text`}
        onChange={onChange}
      />
      <p id={`${id}-text`} className="mt-1 text-label text-muted">
        {field.text}
      </p>
    </div>
  );
}
