import { fail } from "@/lib/common/errors";
import type { DeriveInput, DeriveStep } from "../engine";
import { paths } from "./paths";
import { packProject } from "./project";

/** The task of the step that packs a project whose core a tool made: it cannot be a file of the plan. */
export const packTask = "pack-project";

const limitS = 120;

/** Packs the project for a vendor's tool once the core is there. @param names Of all its files. */
export const packStep = (names: readonly string[]): DeriveStep => ({
  kind: "derive",
  name: "project for the vendor's tool",
  stage: "synthesise",
  task: packTask,
  given: null,
  timeoutS: limitS,
  reads: [...new Set(names)].sort(),
  produces: [paths.project],
});

/** The project of all that the step reads. @throws {AppError} `OUTPUT_MISSING` */
export function packWhatIsRead({ reads, text }: DeriveInput): ReadonlyMap<string, Uint8Array> {
  const files = reads.map((name) => {
    const content = text(name);
    if (content === null) throw fail("OUTPUT_MISSING", `The project lacks its ${name}.`);
    return [name, content] as const;
  });
  return new Map([[paths.project, packProject(new Map(files))]]);
}
