import type { Plan } from "@/engines";
import { runThread } from "@/lib/server/process";
import { type AttemptContext, say } from "./attempt-context";
import type { PlanTask } from "./plan.thread";

const limitMs = 600_000;

/** Plans a build in a thread of its own, and says what will come of it. */
export async function planInThread(context: AttemptContext, task: PlanTask): Promise<Plan> {
  const plan = await runThread<Plan>("workers/builds/stages/plan.thread", task, {
    signal: context.signal,
    timeoutMs: limitMs,
  });
  sayPlan(context, plan);
  return plan;
}

function sayPlan(context: AttemptContext, { digest, forecast, variants }: Plan): void {
  const { lanes, latencyCycles, resources, notes = [] } = forecast;
  const facts = [
    ...(lanes === undefined ? [] : [`${lanes} lanes`]),
    ...(latencyCycles === undefined ? [] : [`${latencyCycles} cycles a row`]),
    ...resources.map(({ name, used, available }) => `${name} about ${used} of ${available}`),
    ...(variants.length === 0 ? [] : [`clocks ${variants.map(({ name }) => name).join(", ")}`]),
  ];
  say(context, `Plan ${digest}${facts.length > 0 ? `: ${facts.join("; ")}.` : "."}`);
  for (const note of notes) say(context, note);
}
