import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ErrorNote, submitOnce, TextField } from "@/components/ui";
import { addPasskey, waysQuery } from "./api";
import { useProof } from "./use-proof";

/** Makes a passkey of this browser, or of a key that is plugged in. */
export function NewPasskeyForm() {
  const t = useTranslations("people.ways");
  const id = useId();
  const [name, setName] = useState("");
  const client = useQueryClient();
  const [refusal, setRefusal] = useState<unknown>(null);
  const { proof, field } = useProof(refusal);
  const send = useMutation({
    mutationFn: () => addPasskey(name.trim(), proof),
    onError: setRefusal,
    onSuccess: () => {
      setName("");
      setRefusal(null);
      void client.invalidateQueries({ queryKey: waysQuery().queryKey });
    },
  });
  return (
    <form className="mt-4 grid max-w-96 gap-4" onSubmit={submitOnce(send)}>
      <TextField
        id={`${id}-name`}
        label={t("passkeyName")}
        hint={t("passkeyHint")}
        maxLength={80}
        value={name}
        onChange={setName}
      />
      {field}
      {send.isError ? <ErrorNote title={t("notAdded")} error={send.error} /> : null}
      <button
        type="submit"
        className="btn justify-self-start"
        disabled={send.isPending}
        aria-busy={send.isPending}
      >
        {t("addPasskey")}
      </button>
    </form>
  );
}
