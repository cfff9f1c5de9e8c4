import { useMutation } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ErrorNote, submitOnce, useHydrated } from "@/components/ui";
import { signIn } from "./api";
import { EmailField } from "./email-field";
import { PasswordField } from "./password-field";

/** The e-mail address and the password of somebody who has an account. */
export function SignInForm({ onDone }: { readonly onDone: () => void }) {
  const t = useTranslations("people");
  const id = useId();
  const isHydrated = useHydrated();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const send = useMutation({
    mutationFn: () => signIn({ email: email.trim(), password }),
    meta: { signsIn: true },
    onSuccess: onDone,
  });
  return (
    <form className="grid gap-4" onSubmit={submitOnce(send)}>
      <EmailField value={email} onChange={setEmail} />
      <PasswordField
        id={`${id}-password`}
        label={t("password.label")}
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
      {send.isError ? <ErrorNote title={t("signIn.failed")} error={send.error} /> : null}
      <button
        type="submit"
        className="btn btn-primary justify-self-start"
        disabled={!isHydrated || send.isPending || send.isSuccess}
        aria-busy={send.isPending}
      >
        {t("signIn.send")}
      </button>
    </form>
  );
}
