import { describe, expect, it } from "vitest";
import { subjects } from "./files/subjects";
import { tryMany } from "./files/try-many";
import { casesUpTo, fuzz } from "./settings";

// Model files, archives and rows made from real ones by seed, and read as the product reads them: each is taken or refused for a reason,
// and none ends the process that reads it. `tests/matrix/odd-files.test.ts` reads many more.

const count = fuzz.count(12);
const names = subjects
  .map(({ name }) => name)
  .filter((name) => fuzz.subject === null || name === fuzz.subject);

describe(`${count} files of each kind from seed ${fuzz.seed}`, () => {
  it("are taken or refused for a reason", async () => {
    const cases = names.flatMap((subject) =>
      casesUpTo(count).map((number) => ({ subject, number })),
    );
    const { answers, faults } = await tryMany(cases, fuzz.seed);
    expect(faults.slice(0, 10)).toEqual([]);
    for (const name of names) {
      const told = answers.get(name)?.values() ?? [];
      expect(
        [...told].reduce((sum, each) => sum + each, 0),
        name,
      ).toBe(fuzz.case === null ? count : 1);
    }
  });
});
