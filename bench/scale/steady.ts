import { messageOf, requestsOf } from "@/bench/serving/http-load";
import { inputName, modelName, row } from "@/bench/serving/model";
import { loadSteadily } from "@/bench/serving/steady-load";
import { startWhole } from "@/bench/serving/whole";
import { ms, say } from "./print";

const seconds = Number(process.env["SCALE_STEADY_S"] ?? 60);
const perSecond = 1000;
const endpoints = 30;
const stallMs = 20;
const warmUpSeconds = 5;

/** A whole installation with 30 endpoints, asked at a constant rate: how often, and for how long, it stands still. */
export async function measureSteady(): Promise<void> {
  const whole = await startWhole(endpoints);
  try {
    const port = whole.ports.binary ?? 0;
    const messages = requestsOf(modelName, inputName, row).map(messageOf);
    const load = { port, messages, perSecond };
    await loadSteadily({ ...load, seconds: warmUpSeconds });
    const { p50Ms, p99Ms, p999Ms, maxMs, slowerThan } = await loadSteadily({ ...load, seconds });
    say(`\nsteady: ${perSecond} requests/s, JSON and binary in turn, for ${seconds} s`);
    say(
      `  p50 ${ms(p50Ms)} ms, p99 ${ms(p99Ms)} ms, p99.9 ${ms(p999Ms)} ms, longest ${ms(maxMs)} ms; ` +
        `${slowerThan(stallMs)} of ${perSecond * seconds} took more than ${stallMs} ms`,
    );
  } finally {
    await whole.close();
  }
}
