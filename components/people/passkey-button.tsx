import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { ErrorNote } from "@/components/ui";
import { signInByPasskey, signInOptionsQuery } from "./api";

/** Signs in by a passkey; nothing, where browsers make none. */
export function PasskeyButton({ onDone }: { readonly onDone: () => void }) {
  const t = useTranslations("people.signIn");
  const options = useQuery(signInOptionsQuery());
  const send = useMutation({
    mutationFn: signInByPasskey,
    meta: { signsIn: true },
    onSuccess: onDone,
  });
  if (!options.data?.hasPasskeys) return null;
  return (
    <div className="mt-4 grid gap-4">
      {send.isError ? <ErrorNote title={t("failed")} error={send.error} /> : null}
      <button
        type="button"
        className="btn justify-self-start"
        disabled={send.isPending || send.isSuccess}
        aria-busy={send.isPending}
        onClick={() => send.mutate()}
      >
        {t("byPasskey")}
      </button>
    </div>
  );
}
