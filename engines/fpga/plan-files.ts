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
import type { CoreDesign } from "./core-design";
import type { Design } from "./design";
import { paths } from "./paths";
import { packProject } from "./project";
import { coreNetlistScript, netlistScript, shellNetlistScript, synthesisScript } from "./steps";

/** The files that are alike in every variant of a design and do not depend on the plan's digest. */
export function sharedFiles({
  board,
  choices,
  made,
  link,
  top,
  boardFiles,
}: Design): Plan["files"] {
  return new Map<string, string | Uint8Array>([
    ...coreFile(made),
    ...(made.making?.files ?? []),
    ...link.files,
    ...boardFiles,
    [paths.identity, identityModules(made.core)],
    [paths.blanks, `${top ? blankClock(top) : ""}${blankTable}`],
    ...(made.isReferenceMade ? [] : [[paths.graph, canonicalJson(made.reference)] as const]),
    [paths.synthesis, synthesisScript(board.part, link, made.ownMultipliers)],
    [paths.coreNetlistScript, coreNetlistScript],
    ...(top && choices.simulate === "shell"
      ? [[paths.shellNetlistScript, shellNetlistScript(shellParameters(top))] as const]
      : []),
    [paths.netlistScript, netlistScript(board.part, link)],
    [paths.cellModels, cellModelsOf(board.part)],
  ]);
}

/** The files of a variant that carry the plan's digest: the tables of the identity, and a project for a vendor's tool. */
export function identifiedFiles(
  { board, made, link, need, top, boardFiles }: Design,
  planDigest: Digest,
  { clockHz, files }: Variant,
): Plan["files"] {
  const { core, reference } = made;
  const { input, output } = reference;
  const identity = { planDigest, core, input, output, clockHz };
  const tables = renderTables(identity);
  const filling = fillingOf(board, identity, top && clockModules(top, clockHz));
  // What tools make of the core is not there yet: a step packs the project then.
  const isMadeHere = need.tool !== null && made.verilog !== null;
  const project = new Map([
    ...link.files,
    ...boardFiles,
    ...files,
    ...coreFile(made),
    [paths.identity, identityModules(core)],
    [paths.tables, tables],
  ]);
  return new Map<string, string | Uint8Array>([
    [paths.tables, tables],
    [paths.filling, canonicalJson(filling)],
    ...(isMadeHere ? [[paths.project, packProject(project)] as const] : []),
  ]);
}

const coreFile = ({ verilog }: CoreDesign) =>
  verilog === null ? [] : [[paths.core, verilog] as const];
