"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ErrorNote, Loaded, Skeleton } from "@/components/ui";
import { passwordLength } from "@/lib/common/contract";
import { resetPassword, resetQuery } from "./api";
import { PasswordField } from "./password-field";
import { useHash } from "./use-hash";

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
  const id = useId();
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
        <form
          className="grid gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (!send.isPending) send.mutate();
          }}
        >
          <p className="break-words">{t("reset.for", { name, email: email ?? "" })}</p>
          {/* For password managers, which keep the two together. */}
          <input type="hidden" autoComplete="username" value={email ?? ""} readOnly />
          <PasswordField
            id={id}
            label={t("account.new")}
            hint={t("password.hint", { count: passwordLength.least })}
            autoComplete="new-password"
            minLength={passwordLength.least}
            value={password}
            onChange={setPassword}
          />
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
