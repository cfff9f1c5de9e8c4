"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { Age, ErrorNote, Loaded, notify, Section, Skeleton, submitOnce } from "@/components/ui";
import type { PersonSession } from "@/lib/common/contract";
import { changePassword, endSession, sessionsQuery, signOutEverywhere, waysQuery } from "./api";
import { browserName } from "./browser-name";
import { NewPasswordField } from "./new-password-field";
import { PasswordField } from "./password-field";
import { SignInWays } from "./sign-in-ways";

/** One's own account: where one is signed in, and another password. */
export function AccountSettings() {
  const t = useTranslations("people.account");
  const sessions = useQuery(sessionsQuery());
  const ways = useQuery(waysQuery()).data?.items ?? [];
  const hasPassword = ways.some(({ kind }) => kind === "password");
  return (
    <>
      <Section title={t("sessions")} id="sessions">
        <p className="mb-3 max-w-prose text-muted">{t("sessionsText")}</p>
        <Loaded
          query={sessions}
          loading={<Skeleton lines={2} height={48} />}
          failure={t("unreadable")}
        >
          {({ items }) => <Sessions items={items} />}
        </Loaded>
      </Section>
      <Section title={t("ways")} id="ways">
        <SignInWays />
      </Section>
      {hasPassword ? (
        <Section title={t("password")} id="password">
          <PasswordForm />
        </Section>
      ) : null}
    </>
  );
}

function Sessions({ items }: { readonly items: readonly PersonSession[] }) {
  const t = useTranslations("people.account");
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: endSession,
    onSuccess: () => client.invalidateQueries({ queryKey: sessionsQuery().queryKey }),
  });
  const endAll = useMutation({
    mutationFn: signOutEverywhere,
    onSuccess: () => location.assign("/sign-in"),
  });
  return (
    <>
      <ul className="max-w-[840px] border-t border-line">
        {items.map(({ id, isThis, browser, from, createdAt, seenAt }) => (
          <li
            key={id}
            className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b border-line py-3"
          >
            <span className="min-w-0 flex-1 basis-64">
              <b className="break-words">{browserName(browser) ?? t("unknownBrowser")}</b>
              <span className="block text-dense text-muted">
                {t("since")} <Age time={createdAt} /> · {t("seen")} <Age time={seenAt} />
                {from === null ? "" : ` · ${t("from", { place: from })}`}
              </span>
            </span>
            {isThis ? (
              <span className="text-dense">{t("here")}</span>
            ) : (
              <button
                type="button"
                className="btn btn-quiet btn-dense"
                disabled={end.isPending}
                onClick={() => end.mutate(id)}
              >
                {t("signOut")}
              </button>
            )}
          </li>
        ))}
      </ul>
      {end.isError ? <ErrorNote title={t("failed")} error={end.error} /> : null}
      {endAll.isError ? <ErrorNote title={t("failed")} error={endAll.error} /> : null}
      <button
        type="button"
        className="btn mt-4"
        disabled={endAll.isPending}
        onClick={() => endAll.mutate()}
      >
        {t("everywhere")}
      </button>
    </>
  );
}

function PasswordForm() {
  const t = useTranslations("people");
  const id = useId();
  const [current, setCurrent] = useState("");
  const [password, setPassword] = useState("");
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: () => changePassword({ current, password }),
    onSuccess: () => {
      setCurrent("");
      setPassword("");
      void client.invalidateQueries({ queryKey: sessionsQuery().queryKey });
      notify({ title: t("account.changed") });
    },
  });
  return (
    <form className="grid max-w-96 gap-4" onSubmit={submitOnce(send)}>
      <PasswordField
        id={`${id}-current`}
        label={t("account.current")}
        autoComplete="current-password"
        value={current}
        onChange={setCurrent}
      />
      <NewPasswordField label={t("account.new")} value={password} onChange={setPassword} />
      {send.isError ? <ErrorNote title={t("account.failed")} error={send.error} /> : null}
      <button type="submit" className="btn justify-self-start" disabled={send.isPending}>
        {t("account.change")}
      </button>
    </form>
  );
}
