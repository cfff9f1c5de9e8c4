import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { fail } from "@/lib/common/errors";
import { commonPasswords } from "./common-passwords";

// `scrypt$15$8$3$SALT$HASH`: what it was stretched by is kept beside it, so that it can become more.

const cost = { log2N: 15, r: 8, p: 3 } as const;
const hashBytes = 32;
const mostMemoryBytes = 64 * 2 ** 20;
/**
 * Each takes 32 MiB, a core and one of the four threads of Node for a while. The other two are for files, names and new connections
 * to the database, whose passwords are proved there too.
 */
const mostAtOnce = 2;
/** Whoever comes behind so many is told to come again, and takes no memory meanwhile. */
const mostWaiting = 32;

let running = 0;
const waiting: (() => void)[] = [];

/** Salts and stretches a password. @throws {AppError} `RATE_LIMITED` */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const { log2N, r, p } = cost;
  const hash = await stretch(password, salt, cost);
  return ["scrypt", log2N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** Whether a password is the one of which this is the hash. @throws {AppError} `RATE_LIMITED` */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [kind, log2N, r, p, salt, wanted] = hash.split("$");
  if (kind !== "scrypt" || !salt || !wanted) return false;
  const found = await stretch(password, Buffer.from(salt, "base64url"), {
    log2N: Number(log2N),
    r: Number(r),
    p: Number(p),
  });
  const bytes = Buffer.from(wanted, "base64url");
  return bytes.length === found.length && timingSafeEqual(bytes, found);
}

/**
 * Refuses passwords that are tried first.
 *
 * @param own What others know of the person: a password that is made of it is no secret.
 * @throws {AppError} `VALIDATION`
 */
export function requireGoodPassword(password: string, own: readonly string[]): void {
  const plain = plainOf(password);
  const known = own
    .flatMap((text) => [text, text.split("@")[0] ?? ""])
    .map(plainOf)
    .filter((text) => text.length >= 4)
    .toSorted((a, b) => b.length - a.length);
  const left = known.reduce((text, part) => text.replaceAll(part, ""), plain);
  const isCommon =
    commonPasswords.has(plain) || commonPasswords.has(plain.replace(/[\d!?.*_-]+$/, ""));
  if (!isCommon && left.length >= 8 && new Set(plain).size >= 5) return;
  throw fail("VALIDATION", "That password is one of those that are tried first.", {
    field: "password",
    hint: "Take several words that nobody would put together, or let a password manager make one.",
  });
}

const plainOf = (text: string): string => text.normalize("NFKC").toLowerCase();

async function stretch(
  password: string,
  salt: Buffer,
  { log2N, r, p }: { readonly log2N: number; readonly r: number; readonly p: number },
): Promise<Buffer> {
  if (waiting.length >= mostWaiting)
    throw fail("RATE_LIMITED", "Too many people sign in at this moment.", {
      hint: "Try again in a few seconds.",
    });
  if (running < mostAtOnce) running++;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    return await new Promise((resolve, reject) => {
      const options = { N: 2 ** log2N, r, p, maxmem: mostMemoryBytes };
      scrypt(password.normalize("NFKC"), salt, hashBytes, options, (error, key) =>
        error ? reject(error) : resolve(key),
      );
    });
  } finally {
    // Whoever waits takes this one's place.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}
