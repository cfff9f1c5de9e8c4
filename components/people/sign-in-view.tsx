"use client";

import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { PasskeyButton } from "./passkey-button";
import { ServiceButton } from "./service-button";
import { SignInForm } from "./sign-in-form";
import { wayBack } from "./way-back";

/** Signs somebody in, and leads back to where they wanted to go. */
export function SignInView() {
  const t = useTranslations("people.signIn");
  const next = wayBack(useSearchParams().get("next"));
  const onDone = () => location.assign(`${next}${location.hash}`);
  return (
    <>
      <h1 className="mb-6">{t("title")}</h1>
      {/* A code in the address stays in it. */}
      <SignInForm onDone={onDone} />
      <PasskeyButton onDone={onDone} />
      <ServiceButton words={(name) => t("by", { name })} failure={t("failed")} next={next} />
      <p className="mt-6 text-dense text-muted">{t("forgotten")}</p>
    </>
  );
}
