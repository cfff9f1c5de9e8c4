import { useTranslations } from "next-intl";
import { type ReactNode, useId, useState } from "react";
import type { SignInProof } from "@/lib/common/contract";
import { isAppError } from "@/lib/common/errors";
import { PasswordField } from "./password-field";

/** Asks for the password once the portal wants it: what goes along with the request, and the field, while there is one. */
export function useProof(error: unknown): {
  readonly proof: SignInProof;
  readonly field: ReactNode;
} {
  const t = useTranslations("people.ways");
  const id = useId();
  const [password, setPassword] = useState("");
  const isWanted =
    isAppError(error) &&
    error.field === "password" &&
    (error.reason === "PROOF_WANTED" || error.reason === "VALIDATION");
  return {
    proof: isWanted ? { password } : {},
    field: isWanted ? (
      <PasswordField
        id={`${id}-proof`}
        label={t("proof")}
        hint={t("proofHint")}
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
      />
    ) : null,
  };
}
