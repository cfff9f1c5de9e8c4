import { describe, expect, it } from "vitest";
import { findMisnamed, findWithoutIndex } from "./file-names.mjs";

const misnamed = (path: string, text: string) => findMisnamed([{ path, text }]).length > 0;

describe("names of files", () => {
  it.each([
    ["domain/builds/queries.ts", "export function getBuild() {}", "a role of its layer"],
    ["domain/artifacts/proofs.ts", "export async function addProof() {}", "what it exports"],
    ["workers/fetch/retry.ts", "export interface RetryOptions {}", "a type that it exports"],
    ["workers/builds/stages/plan.thread.ts", "start();", "the thread of another file"],
    ["components/ui/copy-button.tsx", "export function CopyButton() {}", "its component"],
  ])("takes %s: %s is %s", (path, text) => {
    expect(misnamed(path, text)).toBe(false);
  });

  it.each([
    ["domain/builds/helpers.ts", "export function getBuild() {}", "no word of its export"],
    ["workers/fetch/queries.ts", "export function openWeb() {}", "a role of another layer"],
    ["components/ui/copy-button.tsx", "export function CopyLine() {}", "half of its words only"],
    ["components/ui/copy-button.tsx", "function CopyButton() {}", "nothing that others see"],
  ])("refuses %s with %s: %s", (path, text) => {
    expect(misnamed(path, text)).toBe(true);
  });
});

it("finds a folder that does not say what others may import of it", () => {
  const paths = ["workers/rows/read.ts", "workers/fetch/index.ts", "workers/control/main.ts"];
  expect(findWithoutIndex(paths)).toEqual(["workers/rows"]);
});
