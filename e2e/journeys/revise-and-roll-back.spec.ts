import { deployPage, endpointPage, openPage } from "@/e2e/pages";
import { deploy, until, untilReady } from "@/tests/support/client";
import type { Installation } from "@/tests/support/installation";
import { expect, test } from "./journey";

const name = "iris-revised";

/** The revision that answers a client. */
async function version({ gatewayUrl }: Installation): Promise<string> {
  const answer = await fetch(`${gatewayUrl}/v2/models/${name}/infer`, {
    method: "POST",
    body: JSON.stringify({
      inputs: [{ name: "features", shape: [1, 4], datatype: "FP32", data: [5.1, 3.5, 1.4, 0.2] }],
    }),
  });
  const { model_version: found = String(answer.status) } = (await answer.json()) as {
    model_version?: string;
  };
  return found;
}

test("a new revision is made, compared with the one before, and rolled back", async ({
  page,
  installation,
}) => {
  const { buildId: first } = await deploy(installation, {
    name,
    engine: "boardwalk",
    model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
    board: { model: "icebreaker", kind: "simulated" },
  });
  await untilReady(installation, name, 300_000);
  await endpointPage(page).open(name);
  await page.getByRole("link", { name: "New revision" }).click();
  const form = deployPage(page);
  await form.reading();
  await page.getByRole("button", { name: "Show options" }).click();
  await page.getByLabel("Weight bits of all layers").fill("5");
  await page.getByText("None yet.").waitFor({ state: "detached" });
  await page.getByRole("button", { name: /^Add revision/ }).click();
  await page.waitForURL(/\/builds\/bld_/);
  const second = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  await until("revision 2", async () => (await version(installation)) === "2", 300_000);

  await openPage(page, `/builds/compare?ids=${first},${second}`);
  const table = page.getByRole("region", { name: "Builds side by side" });
  const option = table.getByRole("row", { name: /Option weightBits/ });
  await expect(option).toContainText("as the compiler chooses");
  await expect(option).toContainText("5");
  await expect(table.getByRole("row", { name: /^\W*Logic cells/ })).toContainText(
    /[\d,]+ of 5,280/,
  );

  await endpointPage(page).open(name, "revisions");
  await page.getByRole("button", { name: "Roll back to revision 1" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Roll back", exact: true }).click();
  await until("revision 1", async () => (await version(installation)) === "1");
  await expect(
    page.getByRole("row", { name: /^1 serving/ }).or(page.getByRole("row", { name: /^1/ }).first()),
  ).toContainText("serving");
});
