import type { ComponentProps } from "react";
import { FormField } from "./form-field";
import { useTypedEarly } from "./use-typed-early";

interface TextFieldProps
  extends Omit<ComponentProps<"input">, "id" | "value" | "onChange" | "className"> {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  /** How wide it is; as wide as there is room, where nothing is said. */
  readonly width?: "half";
  readonly onChange: (text: string) => void;
}

/** One line of text under its label, which must be given. */
export function TextField({ id, label, hint, value, width, onChange, ...input }: TextFieldProps) {
  const field = useTypedEarly(value, onChange);
  return (
    <FormField id={id} label={label} hint={hint}>
      <input
        ref={field}
        id={id}
        required
        className={`field w-full ${width === "half" ? "tablet:max-w-96" : ""}`}
        value={value}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange(target.value)}
        {...input}
      />
    </FormField>
  );
}
