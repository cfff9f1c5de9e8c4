import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { tsconfigPaths: true },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["**/*.test.ts", "**/*.test.tsx"],
          exclude: ["node_modules/**", ".next/**", ".boardwalk/**", "tests/**", "e2e/**"],
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["tests/**/*.test.ts"],
          exclude: ["tests/judges/**", "tests/matrix/**"],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          // Each file has stores and processes of its own; a build keeps one core busy.
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          // Programs of others, whose set-up takes minutes: `npm run test:judges`.
          name: "judges",
          include: ["tests/judges/**/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          // Hours of tools: `npm run test:matrix`.
          name: "matrix",
          include: ["tests/matrix/**/*.test.ts"],
          testTimeout: 900_000,
          hookTimeout: 900_000,
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: "e2e",
          include: ["e2e/**/*.test.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: 2,
        },
      },
    ],
  },
});
