import type { Asked } from "../traffic";
import type { ServedRevision } from "./route-table";
import type { Service } from "./service";

/** The model that a request is for. */
export interface Names {
  readonly model: string;
  /** Null: whichever answers. */
  readonly version: string | null;
}

/** The revision that answers an inference, noted in what is counted of it. @throws {AppError} Where none does. */
export function chooseReady(
  { readiness, routes }: Pick<Service, "readiness" | "routes">,
  { model, version }: Names,
  asked: Asked | null,
): ServedRevision {
  readiness.checkTaking();
  const revision = routes.choose(model, version);
  if (asked) asked.revision = Number(revision.version);
  return revision;
}
