import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ArtifactDetail,
  type Build,
  finalBuildStates,
  type ModelDetail,
} from "@/lib/common/contract";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { listPage, openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { settle } from "./support/every-route";
import { takePictures } from "./support/pictures";

// Models, firmware, settings and toolchains of an installation that built two artifacts: what the screen says is held to the API and
// the database.

let installation: Installation;
let visit: Visit;
let page: Page;
let database: pg.Client;

const attack = `<img src=x onerror="window.hacked=1">`;

const api = async <T>(path: string, init?: RequestInit): Promise<T> => {
  const answer = await fetch(`${installation.portalUrl}/api/v1${path}`, init);
  expect([path, answer.ok]).toEqual([path, true]);
  return (await answer.json()) as T;
};
const ask = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await database.query<T>(text, values)).rows;

async function deploy(name: string, engine: string, board: object): Promise<Build> {
  const { buildId } = await api<{ buildId: string }>("/endpoints", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      name,
      engine,
      model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
      board,
    }),
  });
  for (;;) {
    const build = await api<Build>(`/builds/${buildId}`);
    if (finalBuildStates.has(build.state)) {
      expect([name, build.state]).toEqual([name, "succeeded"]);
      return build;
    }
    await pause(500);
  }
}

/** A model as nobody would send it: 130 layers in two branches, and texts that would run if they were markup. */
function wideModel() {
  const layers = Array.from({ length: 130 }, (_, n) => ({
    name: n === 3 ? attack : `block.${n}/with/a/rather/long/name/${n}`,
    operator: n % 4 === 3 ? "Add" : n % 2 === 0 ? "Conv" : "Relu",
    shape: [-1, 16, 8, 8],
    parameters: n % 2 === 0 ? 2320 : 0,
  }));
  return {
    format: "onnx",
    sizeBytes: 123_456,
    digest: `sha256:${"a".repeat(64)}`,
    inputs: [{ name: attack, datatype: "FP32", shape: [-1, 1, 8, 8] }],
    outputs: [{ name: "y", datatype: "FP32", shape: [-1, 16, 8, 8] }],
    layers,
    graph: {
      version: 1,
      layers: layers.map(({ operator }, n) => ({
        from: n === 0 ? [-1] : operator === "Add" ? [n - 1, n - 3] : [n - 1],
        ...(n % 2 === 0 ? { datatype: "INT8", bits: 8 } : {}),
      })),
      outputs: [129],
      omitted: 5,
    },
    parameters: 150_800,
    engines: [],
    card: { title: attack, notes: { more: attack } },
  };
}

async function addModel(name: string, url: string, rest: Record<string, unknown>): Promise<string> {
  const [row] = await ask<{ id: string }>(
    `INSERT INTO model (id, project_id, name, url, source, digest, size_bytes, inspection, problem)
     SELECT (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint), 12, '0') || '7' || substr(md5($2), 1, 3) || '8' || substr(md5($1), 1, 15))::uuid,
       id, $1, $2, $2, $3, 100, $4::jsonb, $5::jsonb FROM project LIMIT 1 RETURNING id`,
    [
      name,
      url,
      rest["digest"],
      rest["inspection"] ? JSON.stringify(rest["inspection"]) : null,
      rest["problem"] ? JSON.stringify(rest["problem"]) : null,
    ],
  );
  return `mdl_${row?.id}`;
}

let onBoard: Build;
let onCpu: Build;
let wide: string;

beforeAll(async () => {
  installation = await startInstallation("e2e-library");
  database = new pg.Client({ connectionString: installation.variables["DATABASE_URL"] ?? "" });
  await database.connect();
  [onBoard, onCpu] = await Promise.all([
    deploy("iris-ice", "boardwalk", { model: "icebreaker", kind: "simulated" }),
    deploy("iris-cpu", "onnx", { model: "cpu", kind: "cpu" }),
  ]);
  // A second design of the same model, for a plot: half the cells, twice as slow.
  await ask("SET session_replication_role = replica");
  await ask(
    `INSERT INTO build (id, project_id, state, request, engine, board_model, board_kind, model_url, model_digest, report, created_at, started_at, ended_at, lease_epoch)
     SELECT ('00' || substr(id::text, 3))::uuid, project_id, state, request, engine, board_model, board_kind, model_url, model_digest,
       jsonb_set(jsonb_set(report, '{latencyCycles}', to_jsonb((report ->> 'latencyCycles')::int * 2)), '{resources,0,used}', to_jsonb((report #>> '{resources,0,used}')::int / 2)),
       created_at, started_at, ended_at, 0 FROM build WHERE id = $1`,
    [onBoard.id.replace("bld_", "")],
  );
  await ask("SET session_replication_role = DEFAULT");
  wide = await addModel(attack, `https://example.org/${attack}`, {
    digest: `sha256:${"a".repeat(64)}`,
    inspection: wideModel(),
  });
  await addModel("old.onnx", "https://example.org/old.onnx", {
    digest: `sha256:${"b".repeat(64)}`,
  });
  await addModel("broken.bin", "https://example.org/broken.bin", {
    digest: `sha256:${"c".repeat(64)}`,
    problem: {
      code: "invalid_argument",
      reason: "MODEL_FORMAT_UNKNOWN",
      message: `The file is of no model format we know. ${attack}`,
      details: {
        bytesRead: 4096,
        firstBytes: "89504e47",
        formatGuess: "unknown",
        expected: "ONNX, Keras",
      },
    },
  });
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
}, 400_000);

afterAll(async () => {
  await visit?.browser.close();
  await database?.end();
  await installation?.stop();
});

/** Serious findings of axe in both themes. */
async function barriers(): Promise<string[]> {
  const found: string[] = [];
  for (const theme of ["dark", "light"]) {
    await page.evaluate((value) => {
      document.documentElement.dataset["theme"] = value;
    }, theme);
    await page.waitForTimeout(250);
    found.push(...(await barriersOn(page)).map((barrier) => `${theme}: ${barrier}`));
  }
  return found;
}

const main = () => page.getByRole("main");
const hacked = () => page.evaluate(() => "hacked" in window);

describe("the list of models", () => {
  it("holds what the database holds, with counters by state", async () => {
    const list = listPage(page);
    await list.open("/models");
    await expect
      .poll(() => list.counters())
      .toEqual({
        all: 4,
        readable: 2,
        "not inspected": 1,
        unreadable: 1,
      });
    const rows = await ask<{ id: string }>("SELECT id FROM model WHERE newest ORDER BY id DESC");
    await expect.poll(() => list.links()).toEqual(rows.map(({ id }) => `/models/mdl_${id}`));
    const iris = list.rows.filter({ hasText: "iris-mlp" });
    const [model] = (await api<{ items: { parameters: number }[] }>("/models?search=iris-mlp"))
      .items;
    await expect.poll(() => iris.innerText()).toContain(String(model?.parameters));
    expect(await hacked()).toBe(false);
    expect(await barriers()).toEqual([]);
    await takePictures(page, "library-models");
  });

  it("is filtered by format and by text in its address", async () => {
    const list = listPage(page);
    await list.open("/models");
    await main().getByLabel("Format").selectOption("onnx");
    await page.waitForURL(/kind=onnx/);
    await expect.poll(async () => (await list.links()).length).toBe(2);
    await list.open("/models?search=zebra");
    await page.getByText("No model matches: text “zebra”.").waitFor();
  });
});

describe("the page of a model", () => {
  it("says what is in it and what was made of it, as the API does", async () => {
    const [row] = await ask<{ id: string }>("SELECT id FROM model WHERE name = 'iris-mlp'");
    const model = await api<ModelDetail>(`/models/mdl_${row?.id}`);
    await openPage(page, `/models/${model.id}`);
    await page.getByRole("heading", { name: "iris-mlp", level: 1 }).waitFor();
    const text = await main().innerText();
    expect(text).toContain(`${model.layers?.length} layers`);
    expect(model.graph?.layers.length).toBe(model.layers?.length);
    for (const { name, state } of model.endpoints) {
      expect(text).toContain(name);
      expect(text).toContain(state);
    }
    expect(model.endpoints.map(({ name }) => name)).toEqual(["iris-cpu", "iris-ice"]);
    expect(model.builds).toEqual([{ state: "succeeded", count: 3 }]);
    await page.getByText(/succeeded\s*3/).waitFor();
    // Two designs with cells and a latency: both are points of the plot, each a link to its build.
    const plot = page.locator("#pareto");
    await plot.waitFor();
    await expect.poll(() => plot.locator("svg a").count()).toBeGreaterThan(1);
    // The legend tells each agreement that the points have, and no other.
    const { items } = await api<{ items: Build[] }>(`/models/mdl_${row?.id}/builds`);
    const agreements = items.flatMap(({ report, reused }) =>
      !reused && report?.latencyCycles ? [report.proof?.agreement ?? null] : [],
    );
    const legend = plot.getByRole("list", {
      name: "Rows with another class than the float model:",
    });
    await expect.poll(() => legend.getByText("none").count()).toBe(agreements.includes(1) ? 1 : 0);
    await expect
      .poll(() => legend.getByText("not compared").count())
      .toBe(agreements.includes(null) ? 1 : 0);
    const deploy = page.getByRole("link", { name: "Deploy this model" });
    await expect
      .poll(() => deploy.getAttribute("href"))
      .toBe(`/deploy?model=${encodeURIComponent(model.url)}`);
    expect(await barriers()).toEqual([]);
    await takePictures(page, "library-model");
  });

  it("draws how the weights lie and what each layer takes, with the figures of the API", async () => {
    const [row] = await ask<{ id: string }>("SELECT id FROM model WHERE name = 'iris-mlp'");
    const { weights = [] } = await api<ModelDetail>(`/models/mdl_${row?.id}`);
    expect(weights.length).toBeGreaterThan(1);
    await openPage(page, `/models/mdl_${row?.id}`);
    const ranges = page.locator("#weights");
    await ranges.getByText(/^Half the weights of .+ lie within .+ of what 8 bits hold/).waitFor();
    await expect.poll(() => ranges.locator("[data-point]").count()).toBe(weights.length);
    await ranges.getByText(/Weights alone are shown/).waitFor();
    await ranges.getByRole("button", { name: "As a table" }).click();
    const [first] = weights;
    await expect
      .poll(() => ranges.locator("tbody tr").first().innerText())
      .toContain(first?.tensor);
    // Nothing is drawn beyond the axis, and the box lies on the line.
    const bars = ranges.locator("[data-point='0'] i");
    const [outline, line, box] = await bars.evaluateAll((all) =>
      all.map((bar) => {
        const { left, right } = bar.getBoundingClientRect();
        return { left, right };
      }),
    );
    expect(outline?.left).toBeLessThanOrEqual((line?.left ?? 0) + 1);
    expect(outline?.right).toBeGreaterThanOrEqual((line?.right ?? 0) - 1);
    expect(box?.left).toBeGreaterThanOrEqual((line?.left ?? 0) - 1);
    expect(box?.right).toBeLessThanOrEqual((line?.right ?? 0) + 1);

    const { report } = await api<Build>(`/builds/${onBoard.id}`);
    const core = (report?.sections ?? []).filter(({ group }) => group === "core");
    const cells = core.reduce((sum, { uses }) => sum + (uses["lut"] ?? 0), 0);
    const cost = page.locator("#cost");
    await cost.getByText(`of the ${cells.toLocaleString("en")} logic cells`).waitFor();
    await expect.poll(() => cost.locator("[data-point]").count()).toBe(core.length);
    await expect
      .poll(() => cost.getByRole("link").first().getAttribute("href"))
      .toMatch(/^\/builds\/bld_.+#placement$/);
    expect(await barriers()).toEqual([]);
    await takePictures(page, "library-weights");
  });

  it("says of a model that was read earlier, and never built, that neither is known", async () => {
    await openPage(page, `/models/${wide}`);
    await page
      .locator("#weights")
      .getByText(/was not kept when this model was read/)
      .waitFor();
    await page.locator("#cost").getByText("No finished build for an FPGA").waitFor();
    expect(await page.locator("#weights figure, #cost figure").count()).toBe(0);
  });

  it("draws 130 layers, walked with the arrows, and tells them in a table too", async () => {
    await openPage(page, `/models/${wide}`);
    const picture = page.getByRole("listbox", { name: /Layers of the model/ });
    await expect.poll(() => picture.getByRole("option").count()).toBe(131);
    await picture.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowUp");
    const chosen = picture.getByRole("option", { selected: true });
    await expect.poll(() => chosen.getAttribute("aria-label")).toContain("block.128");
    await expect.poll(() => picture.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(1000);
    await page.getByRole("heading", { name: /block\.128\/with/ }).waitFor();
    await page.keyboard.press("Home");
    await expect.poll(() => chosen.getAttribute("aria-label")).toContain("FP32");
    await page.getByRole("searchbox", { name: "Find a layer" }).fill("block.77");
    await expect.poll(() => chosen.getAttribute("aria-label")).toContain("block.77");
    await page.getByText("5 more layers are not drawn.").waitFor();
    await page.locator("#layers").getByRole("button", { name: "As a table" }).click();
    await expect.poll(() => page.locator("#layers tbody tr").count()).toBe(130);
    await expect
      .poll(() => page.locator("#layers tbody tr").first().innerText())
      .toContain("2,320");
    expect(await hacked()).toBe(false);
    await expect.poll(() => main().innerText()).toContain(attack);
    expect(await barriers()).toEqual([]);
    await takePictures(page, "library-layers");
  });

  it("says of a file that cannot be read how much was read and what was expected", async () => {
    const list = listPage(page);
    await list.open("/models?state=unreadable");
    await page.getByRole("link", { name: "broken.bin" }).click();
    const alert = main().getByRole("alert");
    await alert.waitFor();
    await expect
      .poll(() => alert.innerText())
      .toMatch(/4\.0\sKiB[\s\S]*89 50 4e 47[\s\S]*ONNX, Keras/);
    expect(await hacked()).toBe(false);
    expect(await barriers()).toEqual([]);
    await takePictures(page, "library-unreadable");
  });

  it("is put away and comes back by Undo", async () => {
    await openPage(page, `/models/${wide}`);
    await page.getByRole("button", { name: "Archive" }).click();
    await page
      .getByText(/is archived\./)
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Archive" }).waitFor();
    await expect.poll(() => ask("SELECT id FROM model WHERE archived_at IS NOT NULL")).toEqual([]);
  });

  it("takes an alias, which moves between versions and comes back by Undo", async () => {
    const url = "https://example.org/two-versions.onnx";
    const older = await addModel("two-versions", url, { digest: `sha256:${"d".repeat(64)}` });
    await ask("UPDATE model SET newest = false WHERE url = $1", [url]);
    const newer = await addModel("two-versions", `${url}#`, { digest: `sha256:${"e".repeat(64)}` });
    await ask("UPDATE model SET url = $1, source = $1 WHERE url = $2", [url, `${url}#`]);
    const section = page.locator("#aliases");
    const give = async (name: string) => {
      await section.getByLabel("New alias").fill(name);
      await section.getByRole("button", { name: "Set", exact: true }).click();
    };
    const versionOf = async (name: string) =>
      (await ask<{ id: string }>("SELECT model_id AS id FROM model_alias WHERE name = $1", [name]))
        .map(({ id }) => `mdl_${id}`)
        .join();
    await openPage(page, `/models/${older}`);
    await give("Not A Name");
    await section.getByRole("alert").getByText("Use lower-case letters").waitFor();
    await give("champion");
    await section.getByRole("button", { name: "Remove champion" }).waitFor();
    expect(await versionOf("champion")).toBe(older);

    await openPage(page, `/models/${newer}`);
    await section.getByText("This version has no alias.").waitFor();
    await expect.poll(() => page.locator("#versions").innerText()).toContain("champion");
    const list = listPage(page);
    await list.open("/models?search=two-versions");
    const link = list.rows.getByRole("link", { name: "champion" });
    await expect.poll(() => link.getAttribute("href")).toBe(`/models/${older}`);
    await openPage(page, `/models/${newer}`);
    await give("champion");
    await page.getByText("champion has moved to this version.").first().waitFor();
    expect(await versionOf("champion")).toBe(newer);
    // Undo is offered for some seconds only: pictures come after it.
    await page.getByRole("button", { name: /^Undo/ }).click();
    await section.getByText("This version has no alias.").waitFor();
    expect(await versionOf("champion")).toBe(older);
    expect(await barriers()).toEqual([]);
    await openPage(page, `/models/${older}`);
    await takePictures(page, "library-aliases");
    await list.open("/models?search=two-versions");
    await takePictures(page, "library-aliases-list");
    await ask("DELETE FROM model WHERE url = $1", [url]);
  });

  it("reads its source again: unchanged, and known from then on as read", async () => {
    const [row] = await ask<{ id: string }>("SELECT id FROM model WHERE name = 'iris-mlp'");
    await openPage(page, `/models/mdl_${row?.id}`);
    await page.getByRole("button", { name: "Check the source" }).click();
    await page.getByText("The source is unchanged.").waitFor({ timeout: 60_000 });
    const { looked, digest } = await api<ModelDetail>(`/models/mdl_${row?.id}`);
    expect(looked?.digest).toBe(digest);
  });

  it("is added by address, or refused with the reason", async () => {
    await openPage(page, "/models");
    await page.getByRole("button", { name: "Add a model" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Address").fill("s3://boardwalk-samples/iris-mlp/card.json");
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByText("This file cannot be read.").waitFor({ timeout: 60_000 });
    await expect.poll(() => dialog.innerText()).toMatch(/Read[\s\S]*Begins with[\s\S]*Expected/);
    expect(await barriers()).toEqual([]);
    await dialog.getByLabel("Address").fill("s3://boardwalk-samples/digits-mlp/model.onnx");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/models\/mdl_/, { timeout: 60_000 });
    await page.getByRole("heading", { name: "digits-mlp", level: 1 }).waitFor();
  });
});

describe("the list of firmware", () => {
  it("holds what the database holds, with what uses it", async () => {
    const list = listPage(page);
    await list.open("/firmware");
    const rows = await ask<{ digest: string; proof_state: string }>(
      "SELECT digest, proof_state FROM artifact ORDER BY build_id DESC",
    );
    expect(rows).toHaveLength(2);
    await expect.poll(() => list.links()).toEqual(rows.map(({ digest }) => `/firmware/${digest}`));
    expect((await list.counters())["all"]).toBe(2);
    await expect.poll(() => list.rows.filter({ hasText: "iris-ice" }).count()).toBe(1);
    expect(await barriers()).toEqual([]);
    await takePictures(page, "library-firmware");
  });
});

describe("the page of firmware", () => {
  it("tells proof, files, signature and uses with the figures of the API", async () => {
    const digest = onBoard.artifactDigest ?? "";
    const artifact = await api<ArtifactDetail>(`/artifacts/${encodeURIComponent(digest)}`);
    await openPage(page, `/firmware/${digest}`);
    await page.getByText("The signature holds").waitFor();
    const text = await main().innerText();
    const { vectors = 0, mismatches = 0 } = artifact.proof ?? {};
    const shown = (count: number) => count.toLocaleString("en");
    expect(text).toContain(`${shown(vectors - mismatches)} of ${shown(vectors)} test vectors`);
    expect(artifact.signed).toBe("holds");
    expect(text).toContain("The signature holds");
    expect(text).toContain(artifact.signature.keyId);
    await expect
      .poll(() => page.locator("#files tbody tr").count())
      .toBe(artifact.manifest.files.length);
    expect(artifact.uses).toMatchObject([{ endpoint: "iris-ice", revision: 1 }]);
    await expect.poll(() => page.locator("#uses").innerText()).toContain("iris-ice");
    expect(await barriers()).toEqual([]);
    await takePictures(page, "library-artifact");
  });

  it("refuses to be deleted while an endpoint needs it, and says why", async () => {
    await openPage(page, `/firmware/${onBoard.artifactDigest}`);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("It cannot be deleted now.").waitFor();
    await expect
      .poll(() => dialog.innerText())
      .toMatch(/iris-ice (answers from|is loading) it \(revision 1\)/);
    expect(await barriers()).toEqual([]);
    await takePictures(page, "library-delete-refused");
    await page.keyboard.press("Escape");
  });

  it("is pinned, which lists show and deleting it says, and let go by Undo", async () => {
    const path = `/firmware/${onCpu.artifactDigest}`;
    const pins = () => ask("SELECT artifact_digest FROM artifact_pin");
    await openPage(page, path);
    await page.getByRole("button", { name: "Pin", exact: true }).click();
    await page.getByRole("button", { name: "Unpin" }).waitFor();
    expect(await pins()).toEqual([{ artifact_digest: onCpu.artifactDigest }]);
    await page.getByRole("button", { name: /^Undo/ }).click();
    await page.getByRole("button", { name: "Pin", exact: true }).waitFor();
    expect(await pins()).toEqual([]);

    await page.getByRole("button", { name: "Pin", exact: true }).click();
    await page.getByRole("button", { name: "Unpin" }).waitFor();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "It cannot be deleted now." });
    await dialog.getByText("It is pinned.").waitFor();
    await expect.poll(() => dialog.innerText()).toContain("Unpin it first.");
    await page.keyboard.press("Escape");
    expect(await barriers()).toEqual([]);
    await takePictures(page, "library-pinned");
    const list = listPage(page);
    await list.open("/firmware");
    await expect.poll(() => list.rows.filter({ hasText: "pinned" }).count()).toBe(1);
    await expect
      .poll(() => list.rows.filter({ hasText: "iris-cpu" }).innerText())
      .toContain("pinned");
    await takePictures(page, "library-pinned-list");
    await openPage(page, path);
    await page.getByRole("button", { name: "Unpin" }).click();
    await page.getByRole("button", { name: "Pin", exact: true }).waitFor();
    expect(await pins()).toEqual([]);
  });

  it("says in red that its bytes are damaged", async () => {
    // Its repair counts as asked for: nobody mends it while we look.
    const damage =
      "UPDATE artifact SET damaged_at = now(), repair_asked_at = now() WHERE digest = $1";
    await ask(damage, [onCpu.artifactDigest]);
    await openPage(page, `/firmware/${onCpu.artifactDigest}`);
    await main().getByRole("alert").getByText("The stored bytes are damaged.").waitFor();
    expect(await page.getByRole("link", { name: "Deploy this firmware" }).count()).toBe(0);
    expect(await barriers()).toEqual([]);
  });

  it("is repaired by repeating its build, since an endpoint needs it, and shows by itself that it can be deployed", async () => {
    await ask("UPDATE artifact SET repair_asked_at = NULL WHERE digest = $1", [
      onCpu.artifactDigest,
    ]);
    await page.getByRole("link", { name: "Deploy this firmware" }).waitFor({ timeout: 120_000 });
    const running = () => ask("SELECT id FROM build WHERE ended_at IS NULL");
    await expect.poll(running, { timeout: 60_000 }).toEqual([]);
  });

  it("is deleted once nothing needs it and its digest was typed; its old address says so", async () => {
    await fetch(`${installation.portalUrl}/api/v1/endpoints/iris-cpu`, { method: "DELETE" });
    await expect
      .poll(
        async () => {
          const { uses } = await api<ArtifactDetail>(
            `/artifacts/${encodeURIComponent(onCpu.artifactDigest ?? "")}`,
          );
          return uses.length;
        },
        { timeout: 60_000 },
      )
      .toBe(0);
    await openPage(page, `/firmware/${onCpu.artifactDigest}`);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("textbox").fill((onCpu.artifactDigest ?? "").slice(7, 15));
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.waitForURL(/\/firmware$/);
    const rows = await ask("SELECT digest FROM artifact WHERE digest = $1", [onCpu.artifactDigest]);
    expect(rows).toEqual([]);
    await openPage(page, `/firmware/${onCpu.artifactDigest}`);
    await page.getByText(/This artifact was deleted on/).waitFor();
  });
});

describe("the settings", () => {
  it("keep an address for each part, and choose how pages look", async () => {
    await openPage(page, "/settings");
    await page.waitForURL(/\/settings\/appearance$/);
    await page.getByRole("radio", { name: "Italiano" }).waitFor();
    expect(await barriers()).toEqual([]);
  });

  it("test a connection for real and show the answer and the time", async () => {
    await openPage(page, "/settings/connections");
    await page.getByRole("button", { name: /^Test Postgres/ }).click();
    const [{ count } = { count: 0 }] = await ask<{ count: number }>(
      "SELECT count(*)::int FROM build",
    );
    await page.getByText(new RegExp(`, ${count} builds`)).waitFor();
    for (const name of [/^Test Redis/, /^Test Object store/, /^Test Gateway/])
      await page.getByRole("button", { name }).click();
    await expect.poll(() => page.getByText("answers", { exact: true }).count()).toBe(4);
    const password = new URL(installation.variables["DATABASE_URL"] ?? "").password;
    if (password !== "") expect(await main().innerText()).not.toContain(password);
    expect(await barriers()).toEqual([]);
    await takePictures(page, "library-connections");
  });

  it("run the doctor's checks, with the line that mends what is missing", async () => {
    await openPage(page, "/settings/doctor");
    await page.getByRole("cell", { name: "Node", exact: true }).waitFor({ timeout: 90_000 });
    const { checks } = await api<{ checks: object[] }>("/doctor/checks", { method: "POST" });
    await expect.poll(() => main().locator("tbody tr").count()).toBe(checks.length);
    expect(await barriers()).toEqual([]);
    await takePictures(page, "library-doctor");
  });

  it("count what takes room as the API does", async () => {
    const { unused } = await api<{ unused: { artifacts: number } }>("/settings/storage");
    await openPage(page, "/settings/storage");
    await page.getByText(/Endpoints need all firmware|No endpoint needs/).waitFor();
    expect(unused.artifacts).toBe(0);
    expect(await barriers()).toEqual([]);
    await takePictures(page, "library-storage");
    await openPage(page, "/settings/about");
    await page.getByRole("cell", { name: "next", exact: true }).waitFor();
    expect(await barriers()).toEqual([]);
  });
});

describe("toolchains", () => {
  it("tell each runner's tools in words, with their versions", async () => {
    await openPage(page, "/toolchains");
    const yosys = main().getByRole("row").filter({ hasText: "yosys" }).first();
    await yosys.getByText("found").first().waitFor({ timeout: 60_000 });
    const [worker] = await ask<{ tools: Record<string, string> }>("SELECT tools FROM build_worker");
    await expect.poll(() => yosys.innerText()).toContain(worker?.tools["yosys"]);
    await main().getByRole("combobox", { name: "Board" }).selectOption({ label: "ULX3S 25F" });
    await page.waitForURL(/board=ulx3s-25f/);
    expect(await barriers()).toEqual([]);
    await takePictures(page, "library-toolchains");
  });
});

describe("the way around", () => {
  it("leads to every place, and a page below another says where it is", async () => {
    await openPage(page, "/");
    const rail = page.getByRole("navigation", { name: "Main" });
    for (const name of ["Models", "Firmware", "Toolchains", "Settings"]) {
      await rail.getByRole("link", { name }).click();
      await page.getByRole("heading", { name, level: 1 }).waitFor();
    }
    await openPage(page, `/firmware/${onBoard.artifactDigest}`);
    const crumbs = page.getByRole("navigation", { name: "Breadcrumb" });
    await crumbs.getByRole("link", { name: "Firmware" }).click();
    await page.waitForURL(/\/firmware$/);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search or jump to" }).fill("digits model");
    await page
      .getByRole("option", { name: /digits-mlp/ })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/models\/mdl_/);
  });

  it("has a sheet for the rest on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    await openPage(page, "/");
    await page.getByRole("button", { name: "More" }).click();
    const sheet = page.getByRole("dialog", { name: "More pages" });
    await sheet.waitFor();
    expect(await barriers()).toEqual([]);
    await page.screenshot({ path: "e2e/screenshots/library-more-390.png" });
    await sheet.getByRole("link", { name: "Settings" }).click();
    await page.waitForURL(/\/settings/);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it.each([
    "/models",
    "/firmware",
    "/settings/connections",
    "/settings/doctor",
    "/settings/storage",
    "/toolchains",
  ])("%s needs no sideways scroll at 320 pixels", async (path) => {
    await page.setViewportSize({ width: 320, height: 700 });
    await openPage(page, path);
    await settle(page);
    await expect.poll(() => listPage(page).spill()).toBeLessThanOrEqual(0);
    await page.screenshot({ path: `e2e/screenshots/library${path.replaceAll("/", "-")}-320.png` });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("pages of one model and one artifact need none either", async () => {
    for (const path of [`/models/${wide}`, `/firmware/${onBoard.artifactDigest}`]) {
      await page.setViewportSize({ width: 320, height: 700 });
      await openPage(page, path);
      await settle(page);
      await expect.poll(() => listPage(page).spill(), { message: path }).toBeLessThanOrEqual(0);
      expect(await barriersOn(page)).toEqual([]);
      await page.setViewportSize({ width: 1440, height: 900 });
    }
  });
});

describe("the whole visit", () => {
  it("had nothing to complain of", () => {
    const expected = /status of (404|410|409|422)/;
    expect(visit.complaints.filter((complaint) => !expected.test(complaint))).toEqual([]);
  });
});
