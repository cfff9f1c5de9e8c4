import { type OptionField, optionValue } from "./option-fields";

/** The list or the box of one option; its label is the caller's. */
export function ValueControl({
  id,
  field,
  choices,
  value,
  usual,
  describedBy,
  onChange,
}: {
  id: string;
  field: OptionField;
  /** Empty: it is typed. */
  choices: readonly (string | number)[];
  value: unknown;
  /** What holds while it is left alone, in words. */
  usual: string;
  describedBy?: string;
  onChange: (value: unknown) => void;
}) {
  const text = value === undefined ? "" : String(value);
  const onText = (typed: string) => onChange(optionValue({ ...field, choices }, typed));
  if (choices.length > 0) {
    return (
      <select
        id={id}
        className="field h-8 text-dense"
        value={text}
        aria-describedby={describedBy}
        onChange={(event) => onText(event.target.value)}
      >
        <option value="">{usual}</option>
        {listed(choices, text, usual).map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      id={id}
      className="field h-8 text-dense"
      type={field.kind === "number" ? "number" : "text"}
      min={field.minimum ?? undefined}
      max={field.maximum ?? undefined}
      step={field.kind === "number" && !field.whole ? "any" : undefined}
      placeholder={usual}
      value={text}
      aria-describedby={describedBy}
      onChange={(event) => onText(event.target.value)}
    />
  );
}

/** The choices besides the usual one, and a value of an earlier draft that is none of them, so that it can be put right. */
function listed(choices: readonly (string | number)[], text: string, usual: string) {
  const others = choices.map(String).filter((choice) => choice !== usual);
  return [...new Set([...others, ...(text === "" ? [] : [text])])];
}
