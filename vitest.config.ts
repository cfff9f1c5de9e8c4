import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Suites of minutes, longest first: who begins with them does not wait for one at the end. */
const longestFirst = [
  "e2e/journey",
  "e2e/deploy",
  "workers/build",
  "journeys/refuse",
  "journeys/serve",
  "e2e/lists",
  "journeys/start",
  "e2e/simulate",
  "judges/range",
  "workers/proofs",
  "faults/kill-points",
  "journeys/accuracy",
  "e2e/accuracy",
  "judges/vendor",
  "judges/references",
  "workers/equal-builds",
  "e2e/range",
  "judges/slow-connections",
  "journeys/",
  "workers/netlist",
  "e2e/",
  "faults/",
  "verification/",
  "workers/",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longestFirst.findIndex((part) => moduleId.includes(`/${part}`));
      return at < 0 ? longestFirst.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

/** Each file has stores and processes of its own; a build keeps one core busy. */
const maxWorkers = 2;

/** What programs of others judge: `npm run test:judges`. */
const judged = ["judges", "simulator", "hardware"].map((folder) => `tests/${folder}/**/*.test.ts`);

/** What takes longest and breaks most seldom, or wants tools that take long to install: with the matrix. */
const rare = [
  "tests/faults/clock-jumps.test.ts",
  "tests/hardware/da4ml.test.ts",
  "tests/journeys/accuracy.test.ts",
  "tests/judges/core-digests.test.ts",
  "tests/judges/hls4ml-endpoint.test.ts",
  "tests/judges/range.test.ts",
  "tests/judges/references.test.ts",
  "tests/judges/registry.test.ts",
  "tests/judges/saved-models.test.ts",
  "tests/judges/slow-connections.test.ts",
  "tests/workers/bondmachine.test.ts",
  "tests/workers/equal-builds.test.ts",
  "tests/workers/netlist.test.ts",
  "tests/workers/proofs.test.ts",
  "e2e/accuracy.test.ts",
  "e2e/range.test.ts",
  "e2e/two-people.test.ts",
];

/** What takes long and breaks seldom: with the judges. */
const long = [
  "tests/faults/full-disk.test.ts",
  "tests/faults/kill-points.test.ts",
  "tests/faults/stores.test.ts",
  "tests/journeys/artifact-archive.test.ts",
  "tests/journeys/backup.test.ts",
  "tests/journeys/gateways.test.ts",
  "tests/journeys/own-stores.test.ts",
  "tests/journeys/plugged-board.test.ts",
  "tests/journeys/refuse.test.ts",
  "tests/journeys/tokens.test.ts",
  "tests/models/random-models.test.ts",
  "tests/verification/mutation.test.ts",
  "tests/workers/lying-store.test.ts",
  "e2e/adopt.test.ts",
  "e2e/attach.test.ts",
  "e2e/audit-log.test.ts",
  "e2e/boards.test.ts",
  "e2e/change.test.ts",
  "e2e/connections.test.ts",
  "e2e/every-page.test.ts",
  "e2e/figures.test.ts",
  "e2e/forecast.test.ts",
  "e2e/import.test.ts",
  "e2e/leases.test.ts",
  "e2e/library.test.ts",
  "e2e/lists.test.ts",
  "e2e/people.test.ts",
  "e2e/preferences.test.ts",
  "e2e/queue.test.ts",
  "e2e/quotas.test.ts",
  "e2e/sign-in.test.ts",
  "e2e/simulate.test.ts",
  "e2e/sleeping-tab.test.ts",
  "e2e/story.test.ts",
  "e2e/supplied-text.test.ts",
  "e2e/tokens.test.ts",
  "e2e/traffic.test.ts",
];

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    // What is waited for comes when a machine that is busy gets to it; it is asked for every 50 ms.
    expect: { poll: { timeout: 30_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["**/*.test.ts", "**/*.test.tsx"],
          exclude: ["node_modules/**", ".next/**", ".boardwalk/**", "tests/**", "e2e/**"],
          testTimeout: 60_000,
          // Nothing but functions, which share what was loaded: no `vi.mock`, and no variable of the process that is read once.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["tests/**/*.test.ts"],
          exclude: [...judged, ...long, ...rare, "tests/matrix/**"],
          testTimeout: 120_000,
          hookTimeout: 180_000,
        },
      },
      {
        extends: true,
        test: {
          name: "judges",
          include: judged,
          exclude: rare,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          name: "long",
          include: long,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        extends: true,
        test: {
          // Hours of tools: `npm run test:matrix`.
          name: "matrix",
          include: ["tests/matrix/**/*.test.ts", ...rare],
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          exclude: [...long, ...rare],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
