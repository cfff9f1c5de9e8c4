/** What a run of the fuzz tests is told by its environment. */
export const fuzz = {
  seed: Number(process.env["FUZZ_SEED"] ?? 2026),
  /** Cases, or so many of each subject. */
  count: (usual: number): number => Number(process.env["FUZZ_COUNT"] ?? usual),
  /** Only this one of each subject. */
  case: process.env["FUZZ_CASE"] === undefined ? null : Number(process.env["FUZZ_CASE"]),
  /** Only this subject. */
  subject: process.env["FUZZ_SUBJECT"] ?? null,
};

/** Numbers of the cases to try. */
export const casesUpTo = (count: number): number[] =>
  fuzz.case === null ? Array.from({ length: count }, (_, number) => number) : [fuzz.case];
