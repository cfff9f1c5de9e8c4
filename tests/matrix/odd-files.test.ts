import { describe, expect, it } from "vitest";
import { subjects } from "@/tests/fuzz/files/subjects";
import { tryMany } from "@/tests/fuzz/files/try-many";
import { casesUpTo, fuzz } from "@/tests/fuzz/settings";

// The files of `tests/fuzz/files.test.ts`, many more of them, one kind after another.

const count = fuzz.count(5000);
/** By how much more the reading process may hold after its last file than after its first. */
const driftMiB = 64;
const names = subjects
  .map(({ name }) => name)
  .filter((name) => fuzz.subject === null || name === fuzz.subject);

describe(`${count} files from seed ${fuzz.seed}`, () => {
  it.each(names)(
    "%s are taken or refused for a reason, and leave no memory taken",
    async (subject) => {
      const cases = casesUpTo(count).map((number) => ({ subject, number }));
      const { answers, faults, slowest, heapMiB, residentMiB } = await tryMany(cases, fuzz.seed);
      const counts = Object.fromEntries(answers.get(subject) ?? []);
      console.log(
        `${subject}: ${JSON.stringify(counts)}; slowest: ${slowest.cpuMs.toFixed(0)} ms, ${slowest.shown}; heap, MiB: ${heapMiB.join(" ")}; resident: ${residentMiB.join(" ")}`,
      );
      expect(faults.slice(0, 10)).toEqual([]);
      expect((heapMiB.at(-1) ?? 0) - (heapMiB[0] ?? 0)).toBeLessThan(driftMiB);
    },
    3_600_000,
  );
});
