"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ErrorNote, Loaded, Skeleton, submitOnce, useHash } from "@/components/ui";
import { resetPassword, resetQuery } from "./api";
import { NewPasswordField } from "./new-password-field";

/** Where somebody who forgot their password sets another, by the link that they were sent. */
export function NewPasswordView() {
  const t = useTranslations("people.reset");
  const code = useHash();
  return (
    <>
      <h1 className="mb-4">{t("title")}</h1>
      {code === null ? <Skeleton lines={3} height={48} /> : <Reset code={code} />}
    </>
  );
}

function Reset({ code }: { readonly code: string }) {
  const t = useTranslations("people");
  const [password, setPassword] = useState("");
  const send = useMutation({
    mutationFn: () => resetPassword(code, password),
    onSuccess: () => location.assign("/sign-in"),
  });
  return (
    <Loaded
      query={useQuery(resetQuery(code))}
      loading={<Skeleton lines={3} height={48} />}
      failure={t("reset.unreadable")}
    >
      {({ name, email }) => (
        <form className="grid gap-4" onSubmit={submitOnce(send)}>
          <p className="break-words">{t("reset.for", { name, email: email ?? "" })}</p>
          {/* For password managers, which keep the two together. */}
          <input type="hidden" autoComplete="username" value={email ?? ""} readOnly />
          <NewPasswordField label={t("account.new")} value={password} onChange={setPassword} />
          {send.isError ? <ErrorNote title={t("reset.failed")} error={send.error} /> : null}
          <button
            type="submit"
            className="btn btn-primary justify-self-start"
            disabled={send.isPending || send.isSuccess}
          >
            {t("reset.send")}
          </button>
        </form>
      )}
    </Loaded>
  );
}
