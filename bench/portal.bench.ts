// What a person waits for, on a whole Boardwalk of its own: reading a model, log lines, a build by stage, reuse, a CPU
// endpoint, one prediction. Compared with the promises: 2 s, 1 s, 5 s, seconds.
import { performance } from "node:perf_hooks";
import { deploy, predict, sampleReference, untilReady } from "@/tests/support/client";
import { startInstallation } from "@/tests/support/installation";
import { quantile } from "./quantile";

const say = (text: string) => process.stdout.write(`${text}\n`);
const seconds = (since: number) => (performance.now() - since) / 1000;

const digits = { url: "s3://boardwalk-samples/digits-mlp/model.onnx" };
const icebreaker = { model: "icebreaker", kind: "simulated" };
const installation = await startInstallation("bench");
try {
  const readings: number[] = [];
  for (let turn = 0; turn < 5; turn++) {
    const started = performance.now();
    await installation.api("/models/inspect", { method: "POST", body: JSON.stringify(digits) });
    readings.push(seconds(started));
  }
  say(
    `reading a model by URL: p50 ${quantile(readings, 0.5).toFixed(2)} s, slowest ${Math.max(...readings).toFixed(2)} s; promised 2 s`,
  );

  for (const sample of ["iris-mlp", "digits-mlp"]) {
    const started = performance.now();
    const { buildId } = await deploy(installation, {
      name: sample,
      engine: "boardwalk",
      model: { url: `s3://boardwalk-samples/${sample}/model.onnx` },
      board: icebreaker,
    });
    const delays = await logDelays(buildId);
    await untilReady(installation, sample, 900_000);
    const { body } = await installation.api(`/builds/${buildId}`);
    const { stages, report } = body as {
      stages: { name: string; durationMs: number | null }[];
      report: { clockHz: number; achievedMhz: number };
    };
    say(
      `\n${sample}: form to ready ${seconds(started).toFixed(1)} s, ${report.clockHz / 1e6} MHz, ${report.achievedMhz} MHz reached`,
    );
    say(
      `  ${stages.map(({ name, durationMs }) => `${name} ${((durationMs ?? 0) / 1000).toFixed(1)}`).join(", ")} (s)`,
    );
    say(
      `  a log line from the tool to a client: p50 ${quantile(delays, 0.5).toFixed(0)} ms, p99 ${quantile(delays, 0.99).toFixed(0)} ms over ${delays.length} lines; promised 1,000 ms`,
    );
  }

  for (const [name, engine, board, promised] of [
    ["again", "boardwalk", icebreaker, "5 s"],
    ["on-cpu", "onnx", { model: "cpu", kind: "cpu" }, "seconds"],
  ] as const) {
    const started = performance.now();
    await deploy(installation, { name, engine, model: digits, board });
    await untilReady(installation, name);
    say(
      `\n${engine}, ${name}: form to ready ${seconds(started).toFixed(2)} s; promised ${promised}`,
    );
  }

  const { input } = sampleReference("digits-mlp");
  for (const name of ["digits-mlp", "on-cpu"]) {
    const times: number[] = [];
    for (const row of [...input.rows, ...input.rows, ...input.rows]) {
      const started = performance.now();
      await predict(installation, name, { name: input.name, row });
      times.push(performance.now() - started);
    }
    say(
      `a prediction by ${name}: p50 ${quantile(times, 0.5).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(2)} ms`,
    );
  }
} finally {
  await installation.stop();
}
process.exit(0);

/** Milliseconds from the moment a line was numbered to its arrival here, for every line of the build's stream. */
async function logDelays(buildId: string): Promise<number[]> {
  const delays: number[] = [];
  const answer = await fetch(`${installation.portalUrl}/api/v1/builds/${buildId}/log`, {
    headers: { accept: "text/event-stream" },
  });
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of answer.body ?? []) {
    rest += decoder.decode(chunk, { stream: true });
    const events = rest.split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      if (/^event: ?end$/m.test(event)) return delays;
      const data = event.match(/^data: ?(.*)$/m)?.[1];
      if (!data || !/^event: ?log$/m.test(event)) continue;
      delays.push(Date.now() - new Date((JSON.parse(data) as { time: string }).time).getTime());
    }
  }
  return delays;
}
