"use client";

/** A few ways to look at the same thing, one of them pressed. */
export function ChoiceRow<T extends string>({
  label,
  choices,
  value,
  onChoose,
}: {
  label: string;
  choices: readonly { readonly id: T; readonly label: string }[];
  value: T;
  onChoose: (id: T) => void;
}) {
  return (
    <fieldset className="flex flex-wrap gap-x-5">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <button
          key={choice.id}
          type="button"
          className="tab"
          aria-pressed={choice.id === value}
          onClick={() => onChoose(choice.id)}
        >
          {choice.label}
        </button>
      ))}
    </fieldset>
  );
}
