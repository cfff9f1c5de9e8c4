import type { BoardModel } from "@/boards";
import type { BoardKind } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import type { ParsedModel, Verdict } from "../engine";
import { refused, verdictOf } from "../verdict";
import { findToolkit } from "./toolkits";

/** Whether the original's build server reads such a file, and its boards could take the rows. */
export function accepts(model: ParsedModel): Verdict {
  const { format, graph } = model;
  if (!findToolkit(model) || !graph) {
    return refused(
      fail("FORMAT_HAS_NO_ENGINE", `BondMachine's build servers do not read ${format} files.`, {
        hint: "They take BondMachine's network file, or a Keras .h5 file.",
      }),
    );
  }
  return verdictOf(() => {
    const { inputs, outputs } = graph;
    if (inputs.length === 1 && outputs.length === 1) return;
    throw fail(
      "MODEL_UNSUPPORTED",
      `Boards of the original system take one row of numbers and answer one; this model has ${inputs.length} inputs and ${outputs.length} outputs.`,
    );
  });
}

/** Only real boards: no simulation comes with what a build server makes. */
export function supports({ name, part, links }: BoardModel, kind: BoardKind): Verdict {
  const isKnown = part.flow.kind === "vivado" && links.some(({ kind }) => kind !== "uart");
  if (isKnown && kind === "physical") return { ok: true };
  return refused(
    fail(
      "COMBINATION_UNSUPPORTED",
      isKnown
        ? `No simulation comes with a build server's firmware, so no ${kind} ${name} can run it.`
        : `BondMachine's build servers do not build for ${name}.`,
      { field: "board", hint: "Choose a real board of AMD's, such as a ZedBoard." },
    ),
  );
}
