import { useTranslations } from "next-intl";
import { useId } from "react";
import { passwordLength } from "@/lib/common/contract";
import { PasswordField } from "./password-field";

interface NewPasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
}

/** A password that somebody chooses. */
export function NewPasswordField({ label, value, onChange }: NewPasswordFieldProps) {
  const t = useTranslations("people.password");
  return (
    <PasswordField
      id={useId()}
      label={label}
      hint={t("hint", { count: passwordLength.least })}
      autoComplete="new-password"
      minLength={passwordLength.least}
      value={value}
      onChange={onChange}
    />
  );
}
