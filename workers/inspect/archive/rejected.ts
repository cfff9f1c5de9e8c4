import { type AppError, fail } from "@/lib/common/errors";

const hint = "Pack the model again with plain files only. Nothing of the archive was extracted.";

/** A member that breaks a rule; `rule` is stable, `what` says it in words. */
export function rejected(member: string, rule: string, what: string): AppError {
  return fail("ARCHIVE_REJECTED", `Archive member \`${shown(member)}\` ${what}.`, {
    hint,
    details: { member: shown(member), rule },
  });
}

/** The archive as a whole breaks a rule. */
export function tooMuch(rule: string, what: string): AppError {
  return fail("ARCHIVE_REJECTED", what, { hint, details: { rule } });
}

/** `ARCHIVE_INVALID`. @param what As what follows a colon. */
export function broken(what: string): AppError {
  return fail("ARCHIVE_INVALID", `The archive cannot be read: ${what}.`, {
    hint: "It is likely damaged or an incomplete download: compare its size with the source.",
  });
}

/** A name from the archive, fit for a sentence. */
function shown(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}`]/gu, "\uFFFD");
  return plain.length > 120 ? `${plain.slice(0, 119)}…` : plain;
}
