import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./home.mjs";
import { ownerHeaders } from "./owner.mjs";
import { bold, dim, Fixable, line } from "./say.mjs";

const sample = {
  name: "iris-mlp",
  engine: "boardwalk",
  model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
  board: { model: "icebreaker", kind: "simulated" },
};

async function call(portal, path, init = {}) {
  const headers = { ...ownerHeaders(), ...init.headers };
  const answer = await fetch(`${portal}/api/v1${path}`, { ...init, headers });
  const body = await answer.json();
  if (answer.ok) return body;
  const { message, hint, reason } = body.error ?? { message: `status ${answer.status}` };
  throw Object.assign(new Fixable(`${message}${hint ? ` ${hint}` : ""}`), {
    reason,
    status: answer.status,
  });
}

const patienceMs = 180_000;
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Endpoints that come up by themselves, if anything does. */
const onTheWay = new Set(["building", "loading", "testing", "degraded"]);

/**
 * Deploys the sample model on the first start of a data folder and shows its build's log; false on every later one,
 * whatever became of the sample.
 */
export async function deploySampleOnce(home, portal) {
  if (home.remembered("sample") !== undefined) return false;
  const isEmpty = async (path) => (await call(portal, `${path}?limit=1`)).items.length === 0;
  const fresh = (await isEmpty("/builds")) && (await isEmpty("/endpoints"));
  if (!fresh) {
    home.remember("sample", "not needed");
    return false;
  }
  line(`\nDeploying ${bold(sample.name)} on a simulated iCEBreaker. Its build:\n`);
  const deployed = await call(portal, "/endpoints", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "idempotency-key": `first-sample-${Date.now()}`,
    },
    body: JSON.stringify(sample),
  });
  home.remember("sample", "deployed");
  await showLog(portal, deployed.buildId);
  return true;
}

/** Waits for the sample's endpoint and shows one prediction of it. Ends at once where it will not answer by itself. */
export async function predictWithSample(portal, gateway) {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const endpoint = await call(portal, `/endpoints/${sample.name}`).catch((error) => {
      if (error.status !== 404) throw error;
      throw new Fixable(
        `${sample.name} is not deployed here any more: it comes with the first start only. Deploy it again at ${portal}/deploy`,
      );
    });
    if (endpoint.state === "ready") return showPrediction(gateway, endpoint);
    if (!onTheWay.has(endpoint.state) || Date.now() > deadline) {
      throw new Fixable(`${wordsOf(endpoint)}. Its build: ${portal}/builds/${endpoint.buildId}`);
    }
    if (endpoint.state === "building") await showLog(portal, endpoint.buildId);
    await wait(150);
  }
}

const wordsOf = ({ name, state, reason }) => `${name} is ${state}${reason ? `: ${reason}` : ""}`;

/** When endpoints that still come back are told as such, and when they are given up. */
const toldAfterMs = 30_000;
const givenUpAfterMs = 900_000;
const mostTold = 10;

/** Says how many endpoints answer, and of the others why not; once more when those that were on their way are settled. */
export async function tellEndpoints(portal, gateway) {
  const started = Date.now();
  for (let told = false; ; await wait(500)) {
    const { looked, isAll } = await lookAtEndpoints(portal, gateway);
    const elapsedMs = Date.now() - started;
    const settled = !looked.some(({ coming }) => coming) || elapsedMs > givenUpAfterMs;
    if (settled || (!told && elapsedMs > toldAfterMs)) {
      tell(portal, { looked, isAll });
      told = true;
    }
    if (settled) return;
  }
}

/** The first hundred endpoints, and whether these are all: whether each answers, and may come up by itself. */
async function lookAtEndpoints(portal, gateway) {
  const { items, nextCursor } = await call(portal, "/endpoints?limit=100");
  const looked = await Promise.all(
    items.map(async (endpoint) => {
      const ready =
        endpoint.state === "ready" &&
        (await fetch(`${gateway}/v2/models/${endpoint.name}/ready`, { headers: ownerHeaders() }))
          .status === 200;
      const coming = onTheWay.has(endpoint.state) || (endpoint.state === "ready" && !ready);
      return { endpoint, ready, coming };
    }),
  );
  return { looked, isAll: !nextCursor };
}

function tell(portal, { looked, isAll }) {
  if (looked.length === 0) return line(`No endpoint yet: deploy a model at ${portal}/deploy`);
  const silent = looked.filter(({ ready }) => !ready);
  const all = `${looked.length}${isAll ? "" : " first"}`;
  line(`${looked.length - silent.length} of ${all} endpoints answer.`);
  for (const { endpoint } of silent.slice(0, mostTold)) {
    const words =
      endpoint.state === "ready"
        ? `${endpoint.name} waits for its board to come back`
        : wordsOf(endpoint);
    line(`  ${words}: ${portal}/endpoints/${endpoint.name}`);
  }
  if (silent.length > mostTold) line(`  and ${silent.length - mostTold} more`);
}

/** Prints the log of a build as its lines come, until it ended. */
async function showLog(portal, buildId) {
  const answer = await fetch(`${portal}/api/v1/builds/${buildId}/log`, {
    headers: { accept: "text/event-stream", ...ownerHeaders() },
  });
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of answer.body) {
    rest += decoder.decode(chunk, { stream: true });
    const events = rest.split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) {
      const kind = event.match(/^event: ?(.*)$/m)?.[1] ?? "log";
      const data = event.match(/^data: ?(.*)$/m)?.[1];
      if (kind === "end") return;
      if (!data || kind !== "log") continue;
      const { stage, text } = JSON.parse(data);
      if (text !== undefined) line(`  ${dim(stage.padEnd(10))} ${text}`);
    }
  }
}

/** After a stop, an endpoint counts as ready for as long as its board server may be back: until it is, the answer is 503. */
async function askPatiently(url, request) {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const answer = await fetch(url, request);
    if (answer.status !== 503 || Date.now() > deadline) return answer;
    await wait(150);
  }
}

/** One prediction through the gateway beside the float model's own answer, and the proof of the build. */
async function showPrediction(gateway, endpoint) {
  const reference = JSON.parse(
    readFileSync(join(root, `public/samples/${sample.name}/reference.json`), "utf8"),
  );
  const [[inputName, input]] = Object.entries(reference.inputs);
  const [output] = Object.values(reference.outputs);
  const width = input.shape[1];
  const classes = output.shape[1];
  const row = input.data.slice(0, width);
  const float = output.data.slice(0, classes);
  const answer = await askPatiently(`${gateway}/v2/models/${sample.name}/infer`, {
    method: "POST",
    headers: { ...ownerHeaders(), "content-type": "application/json", "x-bw-timing": "1" },
    body: JSON.stringify({
      inputs: [{ name: inputName, shape: [1, width], datatype: "FP32", data: row }],
    }),
  });
  const body = await answer.json();
  if (!answer.ok) throw new Fixable(`The prediction failed: ${body.error}`);
  const timing = JSON.parse(answer.headers.get("x-bw-timing") ?? "{}");
  const values = body.outputs[0].data;
  const labels = endpoint.labels ?? float.map((_, index) => String(index));
  const digits = (value) => value.toFixed(4).padStart(10);
  line(`\nOne prediction for [${row.map((value) => Number(value.toPrecision(3))).join(", ")}]\n`);
  line(
    `  ${dim("class".padEnd(14))}${dim("board".padStart(10))}${dim("float model".padStart(14))}`,
  );
  for (const [index, label] of labels.entries()) {
    line(`  ${label.padEnd(14)}${digits(values[index])}${digits(float[index]).padStart(14)}`);
  }
  const { proof } = endpoint;
  if (timing.cycles !== undefined) {
    const clock = timing.clockHz ?? endpoint.clockHz;
    const time = clock
      ? `, ${((timing.cycles / clock) * 1e6).toFixed(2)} µs at ${clock / 1e6} MHz`
      : "";
    line(`\n  On the chip: ${timing.cycles} cycles${time}`);
  }
  if (proof) {
    const agreement =
      proof.agreement === null
        ? ""
        : `, agrees with the float model on ${(proof.agreement * 100).toFixed(1)} % of ${proof.rows} held-back rows`;
    line(
      `  Proof: equal to its quantised model on ${proof.vectors - proof.mismatches} of ${proof.vectors} vectors, bit for bit${agreement}`,
    );
  }
}
