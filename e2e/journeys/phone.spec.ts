import { boardPage, buildPage, openPage } from "@/e2e/pages";
import { deploy, untilReady } from "@/tests/support/client";
import { expect, test } from "./journey";

test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

test("on a phone a build is watched and a board is stopped", async ({ page, installation }) => {
  const name = "iris-phone";
  const { buildId } = await deploy(installation, {
    name,
    engine: "boardwalk",
    model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
    board: { model: "icebreaker", kind: "simulated" },
    options: { weightBits: 7 },
  });
  await openPage(page, "/");
  await page.getByRole("link", { name: "Builds" }).first().tap();
  await page.waitForURL(/\/builds$/);
  await page.getByRole("link", { name }).first().tap();
  await page.waitForURL(new RegExp(buildId));
  const build = buildPage(page);
  expect(await build.end(300_000)).toBe("succeeded");
  const { boardId } = (await untilReady(installation, name)) as unknown as { boardId: string };

  await page.getByRole("button", { name: "More" }).tap();
  await page.getByRole("link", { name: "Boards" }).tap();
  const board = boardPage(page);
  await page.locator(`a[href="/boards/${boardId}"]:visible`).first().tap();
  await page.waitForURL(new RegExp(boardId));
  await board.button("Drain").tap();
  // A simulated board goes once nothing is on it: what it holds stays.
  await board.dialog.getByText("Keep it here").tap();
  await board.dialog.getByRole("button", { name: "Drain" }).tap();
  await page.getByText(/^Drained since/).waitFor();
  const drained = await installation.api(`/boards/${boardId}`);
  expect((drained.body as { drain?: string }).drain).toBeTruthy();
  await board.button("Resume").tap();
  await board.dialog.getByRole("button", { name: "Resume" }).tap();
  await expect
    .poll(async () => {
      const { body } = await installation.api(`/boards/${boardId}`);
      return (body as { drain?: string }).drain ?? null;
    })
    .toBeNull();
});
