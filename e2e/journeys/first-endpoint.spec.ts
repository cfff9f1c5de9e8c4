import { buildPage, deployPage, endpointPage, openPage } from "@/e2e/pages";
import { sampleReference } from "@/tests/support/client";
import { expect, test } from "./journey";

test("somebody new deploys a sample, watches the build, and gets the answer that the model gives", async ({
  page,
}) => {
  await openPage(page, "/");
  await page.getByRole("link", { name: "Deploy" }).first().click();
  const form = deployPage(page);
  await form.pickSample("iris-mlp");
  await form.reading();
  await page
    .getByText(/cycles/)
    .first()
    .waitFor();
  const name = await form.name();
  await form.deploy();

  const build = buildPage(page);
  await build.line(/sha256|Fetching|Reading/, 300_000);
  expect(await build.end(300_000)).toBe("succeeded");
  expect(await build.findings()).toMatch(/Equal bit for bit on ([\d,]+) of \1 vectors/);
  await page.getByRole("link", { name: "Try it" }).first().click();

  const endpoint = endpointPage(page);
  await endpoint.waitForState("ready", 60_000);
  const { input, output } = sampleReference("iris-mlp");
  const row = input.rows[0] ?? [];
  const wanted = output.rows[0] ?? [];
  await endpoint.giveRequest(
    JSON.stringify({
      inputs: [{ name: input.name, shape: [1, input.width], datatype: "FP32", data: row }],
    }),
  );
  await endpoint.send();
  const classes = await endpoint.classes();
  const shares = classes.map((each) => Number.parseFloat(each.at(-1) ?? ""));
  expect(shares.indexOf(Math.max(...shares))).toBe(wanted.indexOf(Math.max(...wanted)));
  expect(await endpoint.timeSplit()).toMatch(/cycles/);

  await openPage(page, "/endpoints");
  await expect(page.getByRole("row", { name: new RegExp(name) })).toContainText("ready");
});
