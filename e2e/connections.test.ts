import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { S3Store } from "@/lib/server/storage";
import { bundle } from "@/scripts/bundle.mjs";
import { ask } from "@/scripts/lib/run.mjs";
import { deploy, predict, sampleReference, untilReady, variantOf } from "@/tests/support/client";
import { type FakeHub, startFakeHub } from "@/tests/support/fake-hub";
import { type FakeRegistry, startFakeRegistry } from "@/tests/support/fake-registry";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { startS3, type TestS3 } from "@/tests/support/versitygw";
import { deployPage, openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { takePictures } from "./support/pictures";

// Somebody connects a store of the laboratory's on the screen, and deploys from it.

const keys = { accessKey: "labaccess-u81k2", secretKey: "labsecret/7f3a+x90Qz" };
const login = { user: "ana", password: "registry-password-55aB" };
const model = variantOf("iris-mlp", "of the laboratory");

let lab: TestS3;
let hub: FakeHub;
let registry: FakeRegistry;
let installation: Installation;
let visit: Visit;
let page: Page;

beforeAll(async () => {
  lab = await startS3({ ...keys, secure: true });
  const ca = readFileSync("tests/fixtures/tls/ca.pem", "utf8");
  const store = new S3Store({ ...lab.options, ca });
  await store.ensureBucket("models");
  await store.put("models", "iris/x.onnx", model, { sizeBytes: model.length });
  store.close();
  hub = await startFakeHub(null, { "lab/iris/main/model.onnx": Buffer.from(model) });
  registry = await startFakeRegistry(login);
  registry.push("models/iris", "v1", { "iris.onnx": Buffer.from(model) });
  const servers = [hub, hub.files, registry, registry.blobStore].map(({ host }) => host);
  installation = await startInstallation("e2e-connections", {
    variables: {
      SOURCE_CA_FILE: join(process.cwd(), "tests/fixtures/tls/ca.pem"),
      SOURCE_ALLOWED_HOSTS: [new URL(lab.options.endpoint).host, ...servers].join(),
    },
  });
  visit = await openBrowser({ baseURL: installation.portalUrl, reducedMotion: "reduce" });
  page = visit.page;
});
afterAll(async () => {
  await visit?.browser.close();
  await installation?.stop();
  await Promise.all([lab?.stop(), hub?.close(), registry?.close()]);
});

const button = (name: string) => page.getByRole("button", { name, exact: true });

describe("connections of a project", () => {
  it("are added under Settings, and tested before they are kept", async () => {
    await openPage(page, "/settings/connections");
    await page.getByText("There are no connections yet.").waitFor();
    await button("Add a connection").click();
    await page.getByLabel("Name").fill("lab");
    await page.getByLabel("Address").fill(lab.options.endpoint);
    await page.getByLabel("Buckets").fill("models");
    await page.getByLabel("Access key").fill(keys.accessKey);
    await page.getByLabel("Secret key").fill("wrong-secret-key");
    await expect.poll(() => page.getByLabel("Secret key").getAttribute("type")).toBe("password");
    await button("Test and save").click();
    await page.getByText("secret key of its connection is wrong").waitFor();
    await button("Save anyway").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "connections-form");
    await page.getByLabel("Secret key").fill(keys.secretKey);
    await button("Test and save").click();
    await page.getByText("models can be listed.").waitFor();
    expect(await page.content()).not.toContain(keys.secretKey);
  });

  it("of other kinds ask for what those need alone", async () => {
    await button("Add a connection").click();
    await page.getByLabel("Kind").selectOption({ label: "Hugging Face" });
    await page.getByLabel("Name").fill("hub");
    expect(await page.getByLabel("Buckets").count()).toBe(0);
    await page.getByLabel("Address").fill("https://127.0.0.1:1");
    await button("Test and save").click();
    await page.getByText("This address names a port.").waitFor();
    expect(await button("Save anyway").count()).toBe(0);
    await page.getByLabel("Address").fill(`https://${hub.host}`);
    await button("Test and save").click();
    await page.getByText("The hub lists models.").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "connections");
  });

  it("are chosen in the deploy form, which names the one that an address is read through", async () => {
    await openPage(page, "/deploy");
    const form = deployPage(page);
    await page.getByText("Also from hf://…, s3://models/….").waitFor();
    await button("From a connection").click();
    await page.getByRole("menuitem", { name: /^s3:\/\/models\// }).click();
    const field = page.getByLabel("Which model?");
    await expect.poll(() => field.inputValue()).toBe("s3://models/");
    await expect.poll(() => field.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.keyboard.type("iris/x.onnx");
    await form.reading();
    await page.getByText("Read through the connection lab.").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "connections-deploy");
    await form.giveUrl("hf://lab/iris/model.onnx");
    await page.getByText("Read through the connection hub.").waitFor();
    await form.reading();
  });

  it("give models that are deployed and answer, of a hub and of a registry", async () => {
    const { status } = await installation.api("/connections", {
      method: "POST",
      body: JSON.stringify({
        ...{ kind: "oci", name: "registry", place: { registry: registry.host } },
        secret: login,
      }),
    });
    expect(status).toBe(201);
    const { input, output } = sampleReference("iris-mlp");
    for (const [name, url] of [
      ["of-hub", "hf://lab/iris/model.onnx"],
      ["of-registry", `oci://${registry.host}/models/iris:v1`],
    ] as const) {
      const board = { model: "cpu", kind: "cpu" };
      await deploy(installation, { name, engine: "onnx", model: { url }, board });
      await untilReady(installation, name);
      const row = input.rows[0] as number[];
      const { values } = await predict(installation, name, { name: input.name, row });
      expect(values).toHaveLength(output.width);
      expect(values[0]).toBeCloseTo(output.rows[0]?.[0] as number, 4);
    }
    await openPage(page, "/settings/connections");
    await page.getByRole("link", { name: "of-registry" }).waitFor();
    await takePictures(page, "connections-used");
  });

  it("of a kind that is open to everybody too can lose their secret, others cannot", async () => {
    const remove = page.getByRole("checkbox", { name: "Remove the secret" });
    await button("Change lab").click();
    await page.getByText("A secret is set.").waitFor();
    expect(await remove.count()).toBe(0);
    await button("Cancel").click();
    await button("Change registry").click();
    await button("Replace the secret").click();
    await page.getByLabel("Password").fill("never sent");
    await remove.check();
    expect(await page.getByLabel("Password").count()).toBe(0);
    expect(await button("Replace the secret").count()).toBe(0);
    await expect.poll(() => remove.evaluate((node) => node === document.activeElement)).toBe(true);
    await page.getByText("only what is open to everybody can be read").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "connections-without-secret");
    // This registry gives nothing to who shows nothing.
    await button("Test and save").click();
    await page.getByText("It was not saved.").waitFor();
    await button("Save anyway").click();
    await page.getByText("registry is saved.").waitFor();
    await button("Change registry").click();
    await page.getByText("No secret is set.").waitFor();
    expect(await remove.count()).toBe(0);
    await button("Enter a secret").click();
    await page.getByLabel("User").fill(login.user);
    await page.getByLabel("Password").fill(login.password);
    await button("Test and save").click();
    await page.getByText("The registry knows the login.").waitFor();
  });

  it("are sealed with a new key by a command, and open once the older one is gone", async () => {
    const { home, variables, api } = installation;
    const keyFile = home.at("keys/connections.key");
    const older = readFileSync(keyFile, "utf8");
    const newer = `${randomBytes(32).toString("base64")}\n`;
    const sealAgain = async () =>
      await ask(process.execPath, ["scripts/role.mjs", "seal-again"], {
        env: {
          ...home.env,
          ...variables,
          BOARDWALK_HOME: home.path,
          BOARDWALK_BUNDLES: process.env["BOARDWALK_BUNDLES"] ?? (await bundle()),
          TMPDIR: home.at("tmp"),
        },
      });
    writeFileSync(keyFile, newer + older);
    const words = await sealAgain();
    expect(words).toMatch(/: 2\. Sealed with it already: 0\.\n.*The older keys may go/s);
    writeFileSync(keyFile, newer);
    const { items } = (await api("/connections")).body as { items: { id: string; name: string }[] };
    for (const { id } of items.filter(({ name }) => name !== "hub")) {
      const { body } = await api(`/connections/${id}/test`, { method: "POST", body: "{}" });
      expect(body).toMatchObject({ lastTest: { ok: true } });
    }
    // What it cannot open is said by its status.
    writeFileSync(keyFile, older);
    expect(await sealAgain()).toBeNull();
    writeFileSync(keyFile, newer);
  });

  it("keep their secret to themselves: another host wants it again", async () => {
    await openPage(page, "/settings/connections");
    await button("Change lab").click();
    await page.getByText("A secret is set.").waitFor();
    await page.getByLabel("Address").first().fill("https://elsewhere.example.com");
    await button("Test and save").click();
    await page.getByText("The secret was given for another host").waitFor();
    expect(await page.getByLabel("Secret key").inputValue()).toBe("");
    await button("Cancel").click();
  });

  it("have it in no file in clear: not in logs, stores, journals or work folders", () => {
    const secrets = [keys.secretKey, login.password].flatMap((secret) => {
      const bytes = Buffer.from(secret);
      return [
        secret,
        JSON.stringify(secret).slice(1, -1),
        bytes.toString("base64"),
        bytes.toString("hex"),
      ];
    });
    const files = readdirSync(installation.home.path, { recursive: true, withFileTypes: true });
    const hits: string[] = [];
    let named = 0;
    for (const { parentPath, name } of files.filter((each) => each.isFile())) {
      const bytes = readFileSync(join(parentPath, name));
      if (bytes.includes("connections.create")) named += 1;
      if (secrets.some((each) => bytes.includes(each))) hits.push(join(parentPath, name));
    }
    // The search itself finds what it should.
    expect(named).toBeGreaterThan(0);
    expect(hits).toEqual([]);
  });

  it("go with their secret once their name was typed", async () => {
    await button("Delete hub").click();
    await page.getByRole("textbox").last().fill("hub");
    await page.getByRole("dialog").getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("hub is deleted.").waitFor();
    await expect.poll(() => button("Delete hub").count()).toBe(0);
  });
});
