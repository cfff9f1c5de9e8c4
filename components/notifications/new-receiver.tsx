import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { type NotificationEvent, notificationEvents } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { EventChoice } from "./event-choice";
import { useReceivers } from "./use-receivers";

interface NewReceiverProps<Added> {
  readonly kind: Parameters<typeof useReceivers>[0];
  readonly label: string;
  readonly verb: string;
  /** What tells an e-mail address from a URL. */
  readonly field: ComponentProps<"input">;
  readonly onAdd: (address: string, events: NotificationEvent[]) => Promise<Added>;
  /** What is told of the one that was added last. */
  readonly told?: (added: Added) => ReactNode;
}

/** Adds an address that is told of events: what is typed stays where it is refused. */
export function NewReceiver<Added>({
  kind,
  label,
  verb,
  field,
  onAdd,
  told,
}: NewReceiverProps<Added>) {
  const t = useTranslations("notifications");
  const id = useId();
  const [address, setAddress] = useState("");
  const [events, setEvents] = useState<readonly NotificationEvent[]>(notificationEvents);
  const { again } = useReceivers(kind);
  const add = useMutation({
    mutationFn: () => onAdd(address.trim(), [...events]),
    onSuccess: () => {
      setAddress("");
      void again();
    },
  });
  return (
    <form
      className="mt-4 grid gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (!add.isPending) add.mutate();
      }}
    >
      <div className="flex flex-wrap items-center gap-2">
        <label htmlFor={id} className="label">
          {label}
        </label>
        <input
          {...field}
          id={id}
          required
          className="field min-w-0 flex-1 basis-56 tablet:max-w-96"
          value={address}
          aria-invalid={add.isError}
          aria-describedby={add.isError ? `${id}-problem` : undefined}
          onChange={(event) => setAddress(event.target.value)}
        />
        <button type="submit" className="btn" disabled={add.isPending || events.length === 0}>
          {verb}
        </button>
      </div>
      <EventChoice chosen={events} onChange={setEvents} />
      {add.isError ? (
        <p id={`${id}-problem`} role="alert" className="text-dense text-bad">
          {isAppError(add.error)
            ? [add.error.message, add.error.hint].filter(Boolean).join(" ")
            : t("failed")}
        </p>
      ) : null}
      {add.data === undefined ? null : told?.(add.data)}
    </form>
  );
}
