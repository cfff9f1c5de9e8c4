import { readdirSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bundle } from "@/scripts/bundle.mjs";
import { freePort } from "@/scripts/lib/ports.mjs";
import { ask } from "@/scripts/lib/run.mjs";
import { firstOwnerAddress, passwordAddress } from "@/scripts/lib/secret-links.mjs";
import { type Installation, startInstallation } from "@/tests/support/installation";
import { type OidcProvider, oidcClient, startOidcProvider } from "@/tests/support/oidc";
import { openPage } from "./pages";
import { barriersOn, openBrowser, type Visit } from "./support/browser";
import { takePictures } from "./support/pictures";

// Two people sign in by other ways than a password: by another service, a real OpenID provider, and by passkeys of a virtual authenticator.

const password = "vapour trail over seven hills";
let provider: OidcProvider;
let installation: Installation;
let ada: Visit;
let carla: Visit;
let link = "";
const codes: string[] = [];

beforeAll(async () => {
  const port = String(await freePort());
  const portal = `http://localhost:${port}`;
  provider = await startOidcProvider(`${portal}/sign-in/return`);
  provider.people.set("carla", { name: "Carla", email: "carla@lab.test", isVerified: true });
  provider.people.set("ada-there", { name: "Ada", email: "ada@lab.test", isVerified: true });
  installation = await startInstallation("e2e-sign-in", {
    variables: {
      PORTAL_PORT: port,
      PORTAL_URL: portal,
      BOARDWALK_ACCOUNTS: "on",
      BOARDWALK_OWNER_TOKEN: "a-key-of-the-launcher-alone",
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: oidcClient.id,
      OIDC_CLIENT_SECRET: oidcClient.secret,
      OIDC_NAME: "Lab ID",
      OIDC_ALLOWED_HOSTS: provider.host,
    },
  });
  const bundles = process.env["BOARDWALK_BUNDLES"] ?? (await bundle());
  const { home, variables } = installation;
  link = (await firstOwnerAddress(home, { bundles, variables })) ?? "";
  const options = { baseURL: installation.portalUrl, reducedMotion: "reduce" } as const;
  ada = await openBrowser(options);
  carla = await openBrowser(options);
  for (const { page } of [ada, carla])
    page.on("request", (request) => {
      const code = new URL(request.url()).searchParams.get("code");
      if (code) codes.push(code);
    });
});
afterAll(async () => {
  await ada?.browser.close();
  await carla?.browser.close();
  await installation?.stop();
  await provider?.close();
});

const main = (page: Page) => page.getByRole("navigation", { name: "Main" });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Signs in on the provider's own pages. */
async function visitProvider(page: Page, name: string): Promise<void> {
  await page.waitForURL(/\/interaction\//);
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.locator("input[name=prompt][value=consent]").waitFor({ state: "attached" });
  await page.locator("button[type=submit]").click();
}
async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Account and project" }).click();
  await button(page, "Sign out").click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await page.waitForURL(/\/sign-in$/);
  await page.waitForLoadState("networkidle");
}

describe("another service", () => {
  it("lets nobody in who is not invited, and says so", async () => {
    const { page } = ada;
    await page.goto(link);
    await page.getByLabel("Your name").fill("Ada");
    await page.getByLabel("E-mail address").fill("ada@lab.test");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await button(page, "Make the account").click();
    await main(page).waitFor();
    await carla.page.goto("/sign-in");
    await button(carla.page, "Sign in with Lab ID").waitFor();
    await button(carla.page, "Sign in with a passkey").waitFor();
    expect(await barriersOn(carla.page)).toEqual([]);
    await takePictures(carla.page, "sign-in-ways");
    await button(carla.page, "Sign in with Lab ID").click();
    await visitProvider(carla.page, "carla");
    await carla.page.getByText("You have no account here yet.").waitFor();
    expect(new URL(carla.page.url()).search).toBe("");
    expect(await barriersOn(carla.page)).toEqual([]);
    await takePictures(carla.page, "sign-in-not-invited");
  });

  it("lets somebody in by an invitation, and ever after to the page that they wanted", async () => {
    await openPage(ada.page, "/settings/people");
    await ada.page.getByLabel("For whom").fill("Carla");
    await button(ada.page, "Make the invitation").click();
    const made = ada.page.getByRole("status").filter({ hasText: "It lets one person in" });
    const address = await made.locator("code").innerText();
    const { page } = carla;
    await page.goto(address);
    await button(page, "Join with Lab ID").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "sign-in-invitation");
    await button(page, "Join with Lab ID").click();
    // The provider knows them still, and leads back at once.
    await main(page).waitFor();
    await openPage(page, "/settings/account");
    await page.getByText("carla@lab.test", { exact: false }).first().waitFor();
    await page.getByText("The last one stays").waitFor();
    expect(await page.getByLabel("Current password").count()).toBe(0);
    await signOut(page);
    await page.goto("/endpoints");
    await button(page, "Sign in with Lab ID").click();
    await page.getByRole("heading", { level: 1, name: "Endpoints" }).waitFor();
  });

  it("is added to an account and taken away again", async () => {
    const { page } = ada;
    await openPage(page, "/settings/account");
    await button(page, "Add Lab ID").click();
    await visitProvider(page, "ada-there");
    await page.getByRole("button", { name: "Take away Lab ID" }).waitFor();
    await signOut(page);
    await button(page, "Sign in with Lab ID").click();
    await main(page).waitFor();
    await openPage(page, "/settings/account");
    await page.getByRole("button", { name: "Take away Lab ID" }).click();
    await button(page, "Add Lab ID").waitFor();
  });
});

describe("a passkey", () => {
  it("is added, signs in, and is taken away", async () => {
    const { page, context } = ada;
    const devices = await context.newCDPSession(page);
    await devices.send("WebAuthn.enable");
    await devices.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await openPage(page, "/settings/account");
    await page.getByLabel("Name of the passkey").fill("blue key");
    await button(page, "Add a passkey").click();
    await page.getByRole("button", { name: "Take away blue key" }).waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "sign-in-account");
    await signOut(page);
    await page.goto("/endpoints");
    await button(page, "Sign in with a passkey").click();
    await page.getByRole("heading", { level: 1, name: "Endpoints" }).waitFor();
    await openPage(page, "/settings/account");
    await page.getByText("last used").waitFor();
    await page.getByRole("button", { name: "Take away blue key" }).click();
    await page.getByText("The last one stays").waitFor();
    await signOut(page);
    await button(page, "Sign in with a passkey").click();
    await page.getByText("This passkey opens no account here.").waitFor();
  });
});

describe("the end of a sign-in that this browser did not begin", () => {
  it("opens nothing, and says so", async () => {
    // Another browser's sign-in, led back to here.
    const { page } = carla;
    await page.goto("/sign-in/return?code=stolen&state=stolen");
    await page.getByText("This sign-in was not begun in this browser").waitFor();
    expect(await barriersOn(page)).toEqual([]);
    await takePictures(page, "sign-in-stale");
    await page.getByRole("link", { name: "To the sign-in page" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });
});

describe("an owner who forgot the only password", () => {
  it("gets a link on the machine itself, good once, also of the role of a container", async () => {
    const { home, variables, portalUrl } = installation;
    const bundles = process.env["BOARDWALK_BUNDLES"] ?? (await bundle());
    expect(await passwordAddress(home, "nobody@lab.test", { bundles, variables })).toBe(null);
    const first = (await passwordAddress(home, "ADA@lab.test", { bundles, variables })) ?? "";
    const tell = async (...args: string[]) =>
      await ask(process.execPath, ["scripts/role.mjs", ...args], {
        env: {
          ...home.env,
          ...variables,
          BOARDWALK_HOME: home.path,
          BOARDWALK_BUNDLES: bundles,
          TMPDIR: home.at("tmp"),
        },
      });
    const words = await tell("password-link", "ada@lab.test");
    const address = words?.split("\n").at(-1) ?? "";
    expect(address).toContain(`${portalUrl}/new-password#bw_reset_`);
    // There are people already, and nobody of that name.
    expect(await tell("first-owner")).toBe(null);
    expect(await tell("password-link", "nobody@lab.test")).toBe(null);
    const { page } = ada;
    // The older one is good no more.
    await page.goto(first);
    await page.getByText("This link is not good").waitFor();
    await page.goto("/sign-in");
    await page.goto(address);
    await page.getByLabel("New password").fill("seven new words are better");
    await button(page, "Set the password").click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.getByLabel("E-mail address").fill("ada@lab.test");
    await page.getByLabel("Password", { exact: true }).fill("seven new words are better");
    await button(page, "Sign in").click();
    await main(page).waitFor();
  });
});

describe("the logs", () => {
  it("hold neither the secret of the service nor a code of it", () => {
    const folder = installation.home.at("logs");
    const logs = readdirSync(folder).map((name) => readFileSync(`${folder}/${name}`, "utf8"));
    expect(codes.length).toBeGreaterThan(2);
    for (const text of logs)
      for (const secret of [oidcClient.secret, ...codes]) expect(text).not.toContain(secret);
  });
});
