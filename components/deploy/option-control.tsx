import { type OptionField, optionValue } from "./option-fields";

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
  const id = `option-${field.name}`;
  const text = value === undefined ? "" : String(value);
  const usual = field.fallback === undefined ? "chosen to fit" : String(field.fallback);
  const choices =
    field.kind === "boolean" ? ["true", "false"] : field.choices.map((choice) => String(choice));
  return (
    <div>
      <label htmlFor={id} className="label block">
        {field.title}
      </label>
      {choices.length > 0 ? (
        <select
          id={id}
          className="field h-8 text-dense"
          value={text}
          aria-describedby={`${id}-text`}
          onChange={(event) => onChange(optionValue(field, event.target.value))}
        >
          <option value="">{usual}</option>
          {choices
            .filter((choice) => choice !== String(field.fallback))
            .map((choice) => (
              <option key={choice} value={choice}>
                {choice}
              </option>
            ))}
        </select>
      ) : (
        <input
          id={id}
          className="field h-8 text-dense"
          type={field.kind === "number" ? "number" : "text"}
          min={field.minimum ?? undefined}
          max={field.maximum ?? undefined}
          step={field.kind === "number" && !field.whole ? "any" : undefined}
          placeholder={usual}
          value={text}
          aria-describedby={`${id}-text`}
          onChange={(event) => onChange(optionValue(field, event.target.value))}
        />
      )}
      <p id={`${id}-text`} className="mt-1 text-label text-muted">
        {field.text}
      </p>
    </div>
  );
}
