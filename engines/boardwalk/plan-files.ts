import {
  blankClock,
  blankTable,
  clockModules,
  fillingOf,
  identityModules,
  renderTables,
  shellParameters,
} from "@/boards";
import { cellModelsOf } from "@/boards/cell-models";
import { canonicalJson, type Digest } from "@/lib/common/contract";
import type { Plan, Variant } from "../engine";
import type { Design } from "./design";
import { paths } from "./paths";
import { packProject } from "./project";
import { coreNetlistScript, netlistScript, shellNetlistScript, synthesisScript } from "./steps";

/** The files that are alike in every variant of a design and do not depend on the plan's digest. */
export function sharedFiles(design: Design): Plan["files"] {
  const { board, options, compiled, link, core, top, boardFiles } = design;
  return new Map([
    [paths.core, compiled.verilog],
    ...link.files,
    ...boardFiles,
    [paths.identity, identityModules(core)],
    [paths.blanks, `${top ? blankClock(top) : ""}${blankTable}`],
    [paths.graph, canonicalJson(compiled.graph)],
    [paths.synthesis, synthesisScript(board.part, link, compiled.ownMultipliers)],
    [paths.coreNetlistScript, coreNetlistScript],
    ...(top && options.simulate === "shell"
      ? [[paths.shellNetlistScript, shellNetlistScript(shellParameters(top))] as const]
      : []),
    [paths.netlistScript, netlistScript(board.part, link)],
    [paths.cellModels, cellModelsOf(board.part)],
  ]);
}

/** The files of a variant that carry the plan's digest: the tables of the identity, and a project for a vendor's tool. */
export function identifiedFiles(
  { board, compiled, link, core, need, top, boardFiles }: Design,
  planDigest: Digest,
  { clockHz, files }: Variant,
): Plan["files"] {
  const { input, output } = compiled.graph;
  const identity = { planDigest, core, input, output, clockHz };
  const tables = renderTables(identity);
  const filling = fillingOf(board, identity, top && clockModules(top, clockHz));
  const project = new Map([
    ...link.files,
    ...boardFiles,
    ...files,
    [paths.core, compiled.verilog],
    [paths.identity, identityModules(core)],
    [paths.tables, tables],
  ]);
  return new Map<string, string | Uint8Array>([
    [paths.tables, tables],
    [paths.filling, canonicalJson(filling)],
    ...(need.tool === null ? [] : [[paths.project, packProject(project)] as const]),
  ]);
}
