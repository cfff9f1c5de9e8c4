import { useTranslations } from "next-intl";
import { Age, ErrorNote } from "@/components/ui";
import type { NotificationEvent } from "@/lib/common/contract";
import type { ReceiverKind } from "./api";
import { keyOf } from "./event-choice";
import { useReceivers } from "./use-receivers";

interface Receiver {
  readonly id: string;
  /** URL or e-mail address. */
  readonly address: string;
  readonly events: readonly NotificationEvent[];
  readonly createdAt: string;
}

interface ReceiverRowsProps {
  readonly kind: ReceiverKind;
  readonly receivers: readonly Receiver[];
}

/** Those who are told, each with a test and the way to tell them no more. */
export function ReceiverRows({ kind, receivers }: ReceiverRowsProps) {
  const t = useTranslations("notifications");
  const { test, remove, error } = useReceivers(kind);
  return (
    <>
      <ul className="border-t border-line">
        {receivers.map(({ id, address, events, createdAt }) => (
          <li
            key={id}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line py-2"
          >
            <span className="min-w-0 flex-1 basis-64">
              <code className="break-all">{address}</code>
              <span className="block text-dense text-muted">
                {events.map((event) => t(`eventNames.${keyOf(event)}`)).join(", ")} ·{" "}
                <Age time={createdAt} />
              </span>
            </span>
            <span className="flex gap-2">
              <button
                type="button"
                className="btn btn-dense"
                aria-label={t("testOf", { address })}
                disabled={test.isPending}
                onClick={() => test.mutate(id)}
              >
                {t("test")}
              </button>
              <button
                type="button"
                className="btn btn-quiet btn-dense"
                aria-label={t("removeOf", { address })}
                disabled={remove.isPending}
                onClick={() => remove.mutate(id)}
              >
                {t("remove")}
              </button>
            </span>
          </li>
        ))}
      </ul>
      <p role="status" className="text-dense text-muted">
        {test.isSuccess ? t("testSent") : ""}
      </p>
      {error ? <ErrorNote title={t("failed")} error={error} /> : null}
    </>
  );
}
