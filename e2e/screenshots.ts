import { mkdir } from "node:fs/promises";
import path from "node:path";
import { type Browser, chromium } from "playwright-core";
import { openPage } from "./pages";
import { chromiumLaunch } from "./support/chromium";

/** A screen, and what is done on it before its picture is taken. */
interface Shot {
  readonly name: string;
  readonly path: string;
  readonly press?: string;
}

interface Named {
  readonly items: readonly {
    readonly id?: string;
    readonly name?: string;
    readonly state: string;
    readonly boardKind?: string;
    readonly reused?: boolean;
  }[];
}

const widths = [1440, 1024, 390] as const;
const themes = ["light", "dark"] as const;

const read = async (url: string): Promise<Named> => (await fetch(url)).json() as Promise<Named>;

/** Every screen with what the installation holds at the moment: one build of each state, one endpoint of each state. */
async function shotsOf(origin: string): Promise<Shot[]> {
  const [builds, endpoints] = await Promise.all([
    read(`${origin}/api/v1/builds`),
    read(`${origin}/api/v1/endpoints`),
  ]);
  // Of several in one state, the one that shows most: on a board, and built rather than reused.
  const worth = ({ boardKind, reused }: Named["items"][number]) =>
    (boardKind === "cpu" ? 0 : 2) + (reused ? 0 : 1);
  const oneOfEach = (list: Named) => [
    ...new Map(
      list.items
        .toSorted((a, b) => worth(a) - worth(b))
        .map((item): [string, Named["items"][number]] => [item.state, item]),
    ).values(),
  ];
  const compared = builds.items
    .filter(({ state }) => state === "succeeded")
    .toSorted((a, b) => worth(b) - worth(a))
    .slice(0, 3)
    .map(({ id }) => id);
  return [
    { name: "compare", path: `/builds/compare?ids=${compared.join(",")}` },
    { name: "home", path: "/" },
    { name: "deploy-empty", path: "/deploy" },
    { name: "deploy", path: "/deploy?sample=digits-mlp" },
    { name: "deploy-refused", path: "/deploy?model=s3://nowhere/model.onnx" },
    { name: "builds", path: "/builds" },
    { name: "builds-filtered", path: "/builds?state=timed_out" },
    { name: "boards", path: "/boards" },
    { name: "toolchains", path: "/toolchains" },
    { name: "endpoints", path: "/endpoints" },
    { name: "not-found", path: "/nowhere" },
    ...oneOfEach(builds).map(({ id, state }) => ({
      name: `build-${state}`,
      path: `/builds/${id}`,
    })),
    ...oneOfEach(endpoints).flatMap(({ name, state }): Shot[] => [
      {
        name: `endpoint-${state}`,
        path: `/endpoints/${name}`,
        ...(state === "ready" ? { press: "Send" } : {}),
      },
      ...(state === "ready"
        ? ["metrics", "revisions", "logs", "requests", "code", "settings"].map((tab) => ({
            name: `endpoint-${tab}`,
            path: `/endpoints/${name}?tab=${tab}`,
          }))
        : []),
    ]),
  ];
}

/** Writes a picture of every screen in both themes and three widths; answers how many. */
export async function takeScreenshots(
  browser: Browser,
  { origin, folder }: { readonly origin: string; readonly folder: string },
): Promise<number> {
  await mkdir(folder, { recursive: true });
  const shots = await shotsOf(origin);
  let count = 0;
  for (const theme of themes) {
    const context = await browser.newContext({ baseURL: origin, reducedMotion: "reduce" });
    await context.addCookies([{ name: "theme", value: theme, url: origin }]);
    const page = await context.newPage();
    for (const shot of shots) {
      await page.setViewportSize({ width: widths[0], height: 900 });
      await openPage(page, shot.path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      if (shot.press) {
        await page.getByRole("button", { name: new RegExp(`^${shot.press}`) }).click();
      }
      await page.waitForTimeout(1200);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await page.waitForTimeout(150);
        await page.screenshot({
          path: path.join(folder, `${shot.name}-${theme}-${width}.png`),
          fullPage: true,
        });
        count += 1;
      }
    }
    await context.close();
  }
  return count;
}

if (process.argv[1] && import.meta.url.endsWith(path.basename(process.argv[1]))) {
  const origin = process.env["PORTAL_URL"] ?? "http://localhost:3000";
  const browser = await chromium.launch(chromiumLaunch);
  try {
    const count = await takeScreenshots(browser, { origin, folder: "e2e/screenshots" });
    console.log(`${count} screenshots in e2e/screenshots`);
  } finally {
    await browser.close();
  }
}
