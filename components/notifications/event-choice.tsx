import { useTranslations } from "next-intl";
import { type NotificationEvent, notificationEvents } from "@/lib/common/contract";

interface EventChoiceProps {
  readonly chosen: readonly NotificationEvent[];
  readonly onChange: (events: readonly NotificationEvent[]) => void;
}

/** What somebody is to be told of. */
export function EventChoice({ chosen, onChange }: EventChoiceProps) {
  const t = useTranslations("notifications");
  return (
    <fieldset className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-0 p-0 text-dense">
      <legend className="label float-left mr-3">{t("events")}</legend>
      {notificationEvents.map((event) => (
        <label key={event} className="flex items-center gap-1.5">
          <input
            type="checkbox"
            checked={chosen.includes(event)}
            onChange={({ target }) =>
              onChange(
                notificationEvents.filter((each) =>
                  each === event ? target.checked : chosen.includes(each),
                ),
              )
            }
          />
          {t(`eventNames.${keyOf(event)}`)}
        </label>
      ))}
    </fieldset>
  );
}

/** Dots divide the keys of texts. */
export const keyOf = (event: NotificationEvent) =>
  ({
    "build.succeeded": "succeeded",
    "build.failed": "failed",
    "build.cancelled": "cancelled",
  })[event] as "succeeded" | "failed" | "cancelled";
