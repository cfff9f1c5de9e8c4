import { useTranslations } from "next-intl";
import { useId } from "react";
import { TextField } from "@/components/ui";

/** The address that somebody signs in by; password managers know it. */
export function EmailField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  const t = useTranslations("people");
  return (
    <TextField
      id={useId()}
      label={t("email")}
      type="email"
      maxLength={254}
      autoComplete="username"
      value={value}
      onChange={onChange}
    />
  );
}
