import { type AppError, isAppError } from "@/lib/common/errors";
import { isSealedByFirst, type SealContext, seal } from "./seal";

/** A secret as a row has it. */
export interface StoredSecret {
  /** Whose it is, as people know it. */
  readonly name: string;
  /** As it stands there. */
  readonly stored: string;
  readonly context: SealContext;
  /** @throws {AppError} `SEALING_KEY_INVALID`, `SECRET_UNREADABLE` */
  open(): Promise<string>;
  /** Has the row hold another seal. Answers false where somebody changed it meanwhile. */
  keep(sealed: string): Promise<boolean>;
}

/** What came of sealing secrets again. */
export interface Resealed {
  /** How many the first key seals since now. */
  readonly again: number;
  /** How many it had sealed already. */
  readonly already: number;
  /** Those that stayed as they were. */
  readonly failed: readonly { readonly name: string; readonly error: AppError }[];
}

/**
 * Seals with the first key what another one sealed, or none, one row at a time. Whoever changes a row meanwhile wins: it is looked
 * at again. Safe to run twice, and beside others that do the same.
 *
 * @param find The secret of a row as it is now; null: the row, or its secret, is gone.
 */
export async function sealAllAgain(
  ids: readonly string[],
  find: (id: string) => Promise<StoredSecret | null>,
  path: string,
): Promise<Resealed> {
  const failed: { name: string; error: AppError }[] = [];
  const counts = { again: 0, already: 0 };
  for (const id of ids) {
    for (;;) {
      const secret = await find(id);
      if (!secret) break;
      try {
        const done = await sealOneAgain(secret, path);
        if (done === null) continue;
        counts[done] += 1;
      } catch (error) {
        if (!isOfSeal(error)) throw error;
        failed.push({ name: secret.name, error });
      }
      break;
    }
  }
  return { ...counts, failed };
}

/** Null: somebody changed the row meanwhile. */
async function sealOneAgain(
  { stored, context, open, keep }: StoredSecret,
  path: string,
): Promise<"again" | "already" | null> {
  if (await isSealedByFirst(stored, path)) return "already";
  return (await keep(await seal(await open(), context, path))) ? "again" : null;
}

const isOfSeal = (error: unknown): error is AppError =>
  isAppError(error) &&
  (error.reason === "SEALING_KEY_INVALID" || error.reason === "SECRET_UNREADABLE");
