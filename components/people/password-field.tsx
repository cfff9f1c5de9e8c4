import { useTranslations } from "next-intl";
import { useState } from "react";
import { FormField, useTypedEarly } from "@/components/ui";

interface PasswordFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  /** Tells password managers whether it is known or new. */
  readonly autoComplete: "current-password" | "new-password";
  readonly minLength?: number;
  readonly onChange: (text: string) => void;
}

/** A password, which can be seen while it is typed. It can be pasted, and filled in by a password manager. */
export function PasswordField({ id, label, hint, value, onChange, ...input }: PasswordFieldProps) {
  const t = useTranslations("people.password");
  const [isShown, setShown] = useState(false);
  const field = useTypedEarly(value, onChange);
  return (
    <FormField id={id} label={label} hint={hint}>
      <div className="flex gap-2">
        <input
          ref={field}
          id={id}
          type={isShown ? "text" : "password"}
          required
          maxLength={256}
          className="field w-full"
          value={value}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onChange={({ target }) => onChange(target.value)}
          {...input}
        />
        <button
          type="button"
          className="btn btn-quiet"
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          {t(isShown ? "hide" : "show")}
        </button>
      </div>
    </FormField>
  );
}
