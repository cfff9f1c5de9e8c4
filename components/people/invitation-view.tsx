"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { meQuery } from "@/components/me";
import { ErrorNote, Loaded, Skeleton, submitOnce, TextField, useHash } from "@/components/ui";
import type { Offered } from "@/lib/common/contract";
import { accept, join, offerQuery } from "./api";
import { EmailField } from "./email-field";
import { NewPasswordField } from "./new-password-field";
import { ServiceButton } from "./service-button";

/** An invitation: to what, and the way in, for somebody who has an account and for somebody who has none. */
export function InvitationView() {
  const code = useHash();
  return code === null ? <Skeleton lines={4} height={48} /> : <Offer code={code} />;
}

function Offer({ code }: { readonly code: string }) {
  const t = useTranslations("people.invitation");
  const offer = useQuery(offerQuery(code));
  return (
    <>
      <h1 className="mb-4">{t(offer.data?.isFirstOwner ? "firstTitle" : "title")}</h1>
      <Loaded query={offer} loading={<Skeleton lines={4} height={48} />} failure={t("unreadable")}>
        {(offered) => <WayIn code={code} offered={offered} />}
      </Loaded>
    </>
  );
}

function WayIn({ code, offered }: { readonly code: string; readonly offered: Offered }) {
  const t = useTranslations("people");
  const me = useQuery({ ...meQuery(), retry: false });
  const { project, role, isFirstOwner } = offered;
  if (me.isPending) return <Skeleton lines={4} height={48} />;
  return (
    <>
      <p className="mb-6 max-w-prose">
        {isFirstOwner
          ? t("invitation.first")
          : t.rich("invitation.to", {
              project,
              role: t(`roles.${role}`),
              b: (words) => <b>{words}</b>,
            })}
      </p>
      {me.data?.name ? (
        <Accept code={code} name={me.data.name} />
      ) : (
        <>
          <JoinForm code={code} isFirst={isFirstOwner} />
          <ServiceButton
            words={(name) => t("invitation.joinBy", { name })}
            failure={t("invitation.failed")}
            next="/"
          />
        </>
      )}
    </>
  );
}

function Accept({ code, name }: { readonly code: string; readonly name: string }) {
  const t = useTranslations("people.invitation");
  const send = useMutation({
    mutationFn: () => accept(code),
    onSuccess: () => location.assign("/"),
  });
  return (
    <>
      {send.isError ? <ErrorNote title={t("failed")} error={send.error} /> : null}
      <button
        type="button"
        className="btn btn-primary"
        disabled={send.isPending || send.isSuccess}
        onClick={() => send.mutate()}
      >
        {t("acceptAs", { name })}
      </button>
    </>
  );
}

function JoinForm({ code, isFirst }: { readonly code: string; readonly isFirst: boolean }) {
  const t = useTranslations("people");
  const id = useId();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const send = useMutation({
    mutationFn: () => join({ code, name: name.trim(), email: email.trim(), password }),
    onSuccess: () => location.assign("/"),
  });
  return (
    <form className="grid gap-4" onSubmit={submitOnce(send)}>
      <TextField
        id={`${id}-name`}
        label={t("name")}
        maxLength={80}
        autoComplete="name"
        value={name}
        onChange={setName}
      />
      <EmailField value={email} onChange={setEmail} />
      <NewPasswordField label={t("password.label")} value={password} onChange={setPassword} />
      {send.isError ? <ErrorNote title={t("invitation.failed")} error={send.error} /> : null}
      <div className="flex flex-wrap items-center gap-4">
        <button
          type="submit"
          className="btn btn-primary"
          disabled={send.isPending || send.isSuccess}
          aria-busy={send.isPending}
        >
          {t("invitation.join")}
        </button>
        {isFirst ? null : (
          <Link href={`/sign-in?next=/invitation#${code}`}>{t("invitation.known")}</Link>
        )}
      </div>
    </form>
  );
}
