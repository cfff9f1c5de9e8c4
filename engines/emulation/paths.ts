import type { Emulation } from "../engine";

/** Names in the work folder of a build that makes an emulation. */
export const emulationPaths = {
  task: "task.json",
  problem: "problem.json",
  rows: "rows.json",
  answers: "answers.bin",
  original: "original.bin",
  program: "emulation",
  project: "project.zip",
} as const;

/** What a build's worker holds against what. */
export const emulation: Emulation = {
  rows: emulationPaths.rows,
  answers: emulationPaths.answers,
  original: emulationPaths.original,
  program: emulationPaths.program,
};
