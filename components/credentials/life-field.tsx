import { useTranslations } from "next-intl";
import { FormField } from "@/components/ui";
import { tokenDays } from "@/lib/common/contract";

const lives = [1, 7, 30, tokenDays.usual, tokenDays.most] as const;
const dayMs = 24 * 3600 * 1000;

/** The time so many days from now, as the API wants it. */
export const daysFromNow = (days: number): string =>
  new Date(Date.now() + days * dayMs).toISOString();

interface LifeFieldProps {
  readonly id: string;
  readonly label: string;
  readonly days: number;
  readonly onChange: (days: number) => void;
}

/** For how many days a token or a link is good. */
export function LifeField({ id, label, days, onChange }: LifeFieldProps) {
  const t = useTranslations("tokens");
  return (
    <FormField id={id} label={label}>
      <select
        id={id}
        className="field w-full tablet:max-w-60"
        value={days}
        onChange={({ target }) => onChange(Number(target.value))}
      >
        {lives.map((count) => (
          <option key={count} value={count}>
            {t("days", { count })}
          </option>
        ))}
      </select>
    </FormField>
  );
}
