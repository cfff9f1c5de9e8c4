import { buildPage, deployPage, openPage } from "@/e2e/pages";
import { deploy } from "@/tests/support/client";
import { expect, test } from "./journey";

test("a build that failed says why, and a change that it offers makes it succeed", async ({
  page,
  installation,
}) => {
  // As by a program, which did not wait for the model to be read.
  const { buildId } = await deploy(installation, {
    name: "too-large",
    engine: "boardwalk",
    model: { url: "s3://boardwalk-samples/digits-mlp/model.onnx" },
    board: { model: "icebreaker", kind: "simulated" },
    options: { architecture: "unrolled" },
  });
  await openPage(page, "/builds");
  await page.getByRole("link", { name: "too-large" }).click();
  const build = buildPage(page);
  expect(await build.end(300_000)).toBe("failed");
  expect(page.url()).toContain(buildId);
  const failure = await build.failure();
  expect(failure).toMatch(/too many|does not fit|too large/i);
  expect(failure).toContain("MODEL_TOO_LARGE");

  await page.getByRole("link", { name: "About this error" }).click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await expect(page.getByRole("main")).toContainText("MODEL_TOO_LARGE");
  await page.goBack();

  await page.getByRole("link", { name: "One array for all layers" }).click();
  const form = deployPage(page);
  await form.reading();
  await page
    .getByText(/cycles/)
    .first()
    .waitFor();
  await form.giveName("small-enough");
  const again = await form.deploy();
  expect(again).not.toBe(buildId);
  expect(await build.end(300_000)).toBe("succeeded");
});
