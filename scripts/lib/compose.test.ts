import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

interface Service {
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
}

const { services } = parse(readFileSync("docker-compose.yml", "utf8"), { merge: true }) as {
  services: Readonly<Record<string, Service>>;
};

describe("docker-compose.yml", () => {
  it("has people sign in, unless .env says otherwise, and knows the installation by its token", () => {
    for (const name of ["portal", "gateway"]) {
      expect(services[name]?.environment?.["BOARDWALK_ACCOUNTS"]).toMatch(/:-on\}$/);
      expect(services[name]?.environment?.["BOARDWALK_OWNER_TOKEN"]).toContain(":?set it in .env");
    }
  });

  it("gives the secret of the service that signs people in to the portal alone", () => {
    const holders = Object.entries(services).flatMap(([name, { environment }]) =>
      environment && "OIDC_CLIENT_SECRET" in environment ? [name] : [],
    );
    expect(holders).toEqual(["portal"]);
  });

  it("gives what seals secrets to whoever seals or opens them, out of one volume", () => {
    const holders = Object.entries(services).filter(
      ([, { environment }]) => environment && "CONNECTION_KEY_FILE" in environment,
    );
    expect(holders.map(([name]) => name)).toEqual(["portal", "control", "build-worker"]);
    for (const [, { environment, volumes = [] }] of holders) {
      const file = environment?.["CONNECTION_KEY_FILE"];
      expect(volumes).toContain("connections:/connections");
      expect(file).toBe("/connections/keys/connections.key");
    }
  });

  it("lets control send e-mail, whose links lead where the portal is", () => {
    const [control, portal] = [services["control"]?.environment, services["portal"]?.environment];
    for (const name of ["SMTP_URL", "SMTP_FROM"])
      expect([control?.[name], portal?.[name]], name).toEqual([`\${${name}:- }`, `\${${name}:- }`]);
    expect(control?.["PORTAL_URL"]).toBe(portal?.["PORTAL_URL"]);
  });

  it("publishes ports on this machine alone", () => {
    const ports = Object.values(services).flatMap(({ ports: own = [] }) => own);
    expect(ports.length).toBeGreaterThan(3);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});
