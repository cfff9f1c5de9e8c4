const unitsMs: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};

/** Milliseconds of a `grpc-timeout`: up to 8 digits and a unit; null for none, or for what is no such text. */
export function timeoutMs(text: string | undefined): number | null {
  const [, digits, unit = ""] = /^(\d{1,8})([HMSmun])$/.exec(text ?? "") ?? [];
  return digits === undefined ? null : Number(digits) * (unitsMs[unit] ?? 1);
}
