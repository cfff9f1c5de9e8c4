import type { Endpoint } from "@/lib/common/contract";

/** A step of the first hour; its words are in the catalogue under its id. */
export interface Step {
  readonly id: "deploy" | "watch" | "predict" | "another" | "share";
  readonly done: boolean;
  readonly href: string;
}

/** What this browser remembers of a person. */
export interface Seen {
  /** A prediction down to its clock cycles. */
  readonly cycles: boolean;
  /** The code with which others call an endpoint. */
  readonly code: boolean;
}

const samples = "s3://boardwalk-samples/";

/** What to do in the first hour, each step done by what it says and by nothing else. */
export function firstSteps(endpoints: readonly Endpoint[], seen: Seen): Step[] {
  const ofSamples = endpoints.filter(({ modelUrl }) => modelUrl.startsWith(samples));
  const onBoard = ofSamples.filter(({ boardKind }) => boardKind !== "cpu");
  const proven = onBoard.find(({ proof }) => proof && proof.vectors > 0 && proof.mismatches === 0);
  const built = proven ?? onBoard[0];
  const ready = endpoints.filter(({ state }) => state === "ready");
  // Only a board counts cycles; any that answers will do.
  const counting = [...onBoard, ...ready].find(
    ({ boardKind, state }) => boardKind !== "cpu" && state === "ready",
  );
  const shared = counting ?? ready[0];
  const deploy = "/deploy?sample=digits-mlp";
  return [
    { id: "deploy", done: onBoard.length > 0, href: deploy },
    {
      id: "watch",
      done: proven !== undefined,
      href: built?.buildId ? `/builds/${built.buildId}` : deploy,
    },
    {
      id: "predict",
      done: seen.cycles,
      href: counting ? `/endpoints/${counting.name}` : deploy,
    },
    {
      id: "another",
      done: onBoard.length > 0 && isElsewhere(endpoints, onBoard),
      href: "/deploy",
    },
    {
      id: "share",
      done: seen.code,
      href: shared ? `/endpoints/${shared.name}?tab=code` : deploy,
    },
  ];
}

/** Whether there is a model of one's own, or a sample that serves from more than one kind of board. */
function isElsewhere(all: readonly Endpoint[], onBoard: readonly Endpoint[]): boolean {
  if (all.some(({ modelUrl }) => !modelUrl.startsWith(samples))) return true;
  return onBoard.some((first) =>
    all.some(
      ({ modelUrl, boardModel }) => modelUrl === first.modelUrl && boardModel !== first.boardModel,
    ),
  );
}
