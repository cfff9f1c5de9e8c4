import { readPassword } from "@/domain/people";
import { freshMinutes, isFresh } from "@/domain/sign-in";
import { fail } from "@/lib/common/errors";
import { isPassword } from "@/lib/server/auth";

/**
 * Proves that whoever asks is the person whose session it is: they signed in a moment ago, or know the password.
 *
 * @throws {AppError} `PROOF_WANTED`; `VALIDATION` for another password
 */
export async function requireProof(
  { userId, sessionId }: { readonly userId: string; readonly sessionId: string },
  password: string | undefined,
): Promise<void> {
  if (await isFresh(sessionId)) return;
  const hash = await readPassword(userId);
  if (password === undefined || hash === null)
    throw fail("PROOF_WANTED", `You signed in here more than ${freshMinutes} minutes ago.`, {
      hint:
        hash === null
          ? "Sign out and in again, and repeat this then."
          : "Give your password, or sign out and in again.",
      ...(hash === null ? {} : { field: "password" }),
    });
  if (!(await isPassword(password, hash)))
    throw fail("VALIDATION", "That is not your password.", { field: "password" });
}
