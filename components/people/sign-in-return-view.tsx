"use client";

import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";
import { ErrorNote, Skeleton } from "@/components/ui";
import { endService } from "./api";
import { wayBack } from "./way-back";

/** Where another service leads back to: signs in by its answer, and goes on, or says why not. */
export function SignInReturnView() {
  const t = useTranslations("people.signIn");
  const hasBegun = useRef(false);
  const send = useMutation({
    mutationFn: endService,
    meta: { signsIn: true },
    onSuccess: ({ next }) => location.replace(wayBack(next)),
  });
  useEffect(() => {
    // Its code is good once, and stays in no history.
    if (hasBegun.current) return;
    hasBegun.current = true;
    const query = location.search.slice(1);
    history.replaceState(null, "", location.pathname);
    send.mutate(query);
  }, [send]);
  if (!send.isError)
    return (
      <>
        <h1 className="mb-4">{t("returning")}</h1>
        <Skeleton lines={2} height={48} />
      </>
    );
  return (
    <>
      <h1 className="mb-4">{t("notReturned")}</h1>
      <ErrorNote title={t("failed")} error={send.error} />
      <p className="mt-6">
        <Link href="/sign-in">{t("again")}</Link>
      </p>
    </>
  );
}
