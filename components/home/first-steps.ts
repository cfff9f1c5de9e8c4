import type { Endpoint } from "@/lib/common/contract";

export interface Step {
  readonly done: boolean;
  readonly text: string;
  readonly href: string;
}

/** The sample that the list is about. */
const sample = { id: "digits-mlp", url: "s3://boardwalk-samples/digits-mlp/model.onnx" };

/** What to do in the first hour, each step done by what it says and by nothing else. */
export function firstSteps(endpoints: readonly Endpoint[], hasSeenCycles: boolean): Step[] {
  const served = endpoints.filter(({ modelUrl }) => modelUrl === sample.url);
  const onBoard = served.filter(({ boardKind }) => boardKind !== "cpu");
  const proven = onBoard.find(({ proof }) => proof && proof.vectors > 0 && proof.mismatches === 0);
  const built = proven ?? onBoard[0];
  // Only a board counts cycles; any that answers will do.
  const counting = [...onBoard, ...endpoints].find(
    ({ boardKind, state }) => boardKind !== "cpu" && state === "ready",
  );
  const deploy = `/deploy?sample=${sample.id}`;
  return [
    {
      done: onBoard.length > 0,
      text: `Deploy the sample ${sample.id} on a simulated board`,
      href: deploy,
    },
    {
      done: proven !== undefined,
      text: "Watch its build until the design is proven",
      href: built?.buildId ? `/builds/${built.buildId}` : deploy,
    },
    {
      done: hasSeenCycles,
      text: "Send a prediction to a board and see it down to clock cycles",
      href: counting ? `/endpoints/${counting.name}` : deploy,
    },
    {
      done: onBoard.length > 0 && served.length > onBoard.length,
      text: `Serve ${sample.id} from the CPU as well and compare`,
      href: `${deploy}&engine=onnx`,
    },
  ];
}
