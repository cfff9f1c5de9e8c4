import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { ErrorNote } from "@/components/ui";

/** What a board is, and the button that gives it up. */
export function GiveUp({
  name,
  mutationFn,
  onSuccess,
  children,
}: {
  /** Read out behind the button's word. */
  name: string;
  mutationFn: () => Promise<unknown>;
  onSuccess: () => Promise<void>;
  children: ReactNode;
}) {
  const t = useTranslations("boards.giveUp");
  const giveUp = useMutation({ mutationFn, onSuccess });
  return (
    <div className="text-dense">
      <p className="flex flex-wrap items-center gap-3">
        {children}
        <button
          type="button"
          className="btn btn-quiet btn-dense"
          disabled={giveUp.isPending}
          onClick={() => giveUp.mutate()}
        >
          {t.rich("action", { name, what: (words) => <span className="sr-only">{words}</span> })}
        </button>
      </p>
      {giveUp.isError ? <ErrorNote title={t("failed")} error={giveUp.error} /> : null}
    </div>
  );
}
