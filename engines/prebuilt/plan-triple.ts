import { firmwareNameSchema } from "@/lib/common/bond";
import { firmwareIo, origin, requireNamed } from "../bond-firmware";
import type { Plan, PlanRequest } from "../engine";
import type { LegacyTriple } from "../firmware";
import { requirePart } from "../require-part";
import { unsignedPlan } from "./finished-plan";
import { requireReal } from "./plan-bitstream";

/** The plan of a BondMachine firmware: its three files, and what their metadata says. */
export function planTriple(
  { header, metadata, files: { bit, hwh, json } }: LegacyTriple,
  request: PlanRequest,
): Plan {
  const { board, model } = request;
  requireNamed(metadata, board);
  requirePart(header, board);
  requireReal("a BondMachine firmware", request);
  const { predictor, flavor } = metadata;
  const name = nameOf(request);
  return unsignedPlan(
    {
      // Its design names no plan: the file that was asked for stands for one.
      planDigest: model.digest,
      platform: `bondmachine_${board.part.family}`,
      io: firmwareIo(metadata),
      files: new Map([
        ["bitstream", { name: `${name}.bit`, content: bit }],
        ["hardware-handoff", { name: `${name}.hwh`, content: hwh }],
        ["metadata", { name: `${name}.json`, content: json }],
      ]),
      origin,
      report: {
        resources: [],
        notes: [`Made by ${predictor}${flavor ? `, spoken to as ${flavor}` : ""}.`],
      },
    },
    request,
  );
}

/** A board of the original system finds a firmware in its own store by this name. */
function nameOf({ sourceName = "" }: PlanRequest): string {
  return firmwareNameSchema.safeParse(sourceName).success ? sourceName : "firmware";
}
