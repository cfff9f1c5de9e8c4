import type { Page } from "playwright-core";
import { deploy, until, untilReady } from "@/tests/support/client";
import type { Installation } from "@/tests/support/installation";
import { openPage } from "../pages";

/** A model on a board, in `everyRoute`. */
export const onBoard = {
  name: "iris-mlp",
  engine: "boardwalk",
  model: { url: "s3://boardwalk-samples/iris-mlp/model.onnx" },
  board: { model: "icebreaker", kind: "simulated" },
};
/** The same model on the CPU. */
export const onCpu = {
  ...onBoard,
  name: "iris-cpu",
  engine: "onnx",
  board: { model: "cpu", kind: "cpu" },
};

/**
 * Deploys one model on a board, on the CPU, and one that is too large, and answers the address of every page in every state, each by a
 * name for its picture.
 */
export async function everyRoute(
  installation: Installation,
  page: Page,
): Promise<ReadonlyMap<string, string>> {
  const { buildId } = await deploy(installation, onBoard);
  const cpu = await deploy(installation, onCpu);
  const failed = await buildThatFails(installation);
  await untilReady(installation, onBoard.name, 300_000);
  await untilReady(installation, onCpu.name);
  const firstOf = async (
    path: string,
    name: string,
    address: (item: { id: string; digest: string }) => string,
  ): Promise<[string, string][]> => {
    const { body } = await installation.api(path);
    const [item] = (body as { items: { id: string; digest: string }[] }).items;
    return item ? [[name, address(item)]] : [];
  };
  return new Map([
    ...(await railRoutes(page)),
    ["not-found", "/nowhere"],
    ["build", `/builds/${buildId}`],
    ["build-cpu", `/builds/${cpu.buildId}`],
    ["compare", `/builds/compare?ids=${buildId},${cpu.buildId}`],
    ["build-failed", `/builds/${failed}`],
    ...(await tabRoutes(page, `/endpoints/${onBoard.name}`)),
    ["endpoint-cpu", `/endpoints/${onCpu.name}`],
    ...(await firstOf("/boards", "board", ({ id }) => `/boards/${id}`)),
    ...(await firstOf("/models", "model", ({ id }) => `/models/${id}`)),
    ...(await firstOf("/artifacts", "artifact", ({ digest }) => `/firmware/${digest}`)),
    ...(await tabRoutes(page, "/settings")),
    ["error", "/errors/MODEL_TOO_LARGE"],
    ["glossary", "/glossary"],
    ["builds-none", "/builds?search=zebra"],
    ["endpoints-none", "/endpoints?search=zebra"],
    ["build-unknown", "/builds/bld_01890000-0000-7000-8000-000000000000"],
    ["endpoint-unknown", "/endpoints/zebra"],
    ["design", "/design"],
  ]);
}

/** A model that is larger than its board: the build ends with a cause and changes that would fit. */
async function buildThatFails(installation: Installation): Promise<string> {
  const { buildId } = await deploy(installation, {
    ...onBoard,
    name: "too-large",
    model: { url: "s3://boardwalk-samples/digits-mlp/model.onnx" },
    options: { architecture: "unrolled" },
  });
  await until(
    "the failed build",
    async () => {
      const { body } = await installation.api(`/builds/${buildId}`);
      return (body as { state: string }).state === "failed";
    },
    300_000,
  );
  return buildId;
}

/** The places of the rail, as a newcomer finds them. */
async function railRoutes(page: Page): Promise<[string, string][]> {
  await openPage(page, "/");
  const links = await page
    .getByRole("navigation", { name: "Main" })
    .getByRole("link")
    .evaluateAll((all) => all.map((each) => each.getAttribute("href") ?? ""));
  return [...new Set(links)].map((href) => [href.slice(1).replaceAll("/", "-") || "home", href]);
}

/** The tabs of a page, each by its address. */
async function tabRoutes(page: Page, path: string): Promise<[string, string][]> {
  await openPage(page, path);
  const links = await page
    .getByRole("main")
    .locator("a.tab")
    .evaluateAll((all) => all.map((each) => each.getAttribute("href") ?? ""));
  return links.map((href) => [href.slice(1).replace("?tab=", "-").replaceAll("/", "-"), href]);
}

/** What is loaded after the page has come; the event stream keeps the network busy for good. The page of all components shows skeletons. */
export async function settle(page: Page): Promise<void> {
  await page.waitForFunction(
    () =>
      location.pathname === "/design" ||
      document.querySelector("main .skeleton, main [aria-busy=true]") === null,
  );
  await page.waitForTimeout(200);
}
