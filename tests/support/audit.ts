import { spawn } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import type { Finding } from "@/domain/audit";
import { bundle } from "@/scripts/bundle.mjs";
import { root } from "@/scripts/lib/home.mjs";
import type { Installation } from "./installation";

/** What clients were promised: builds that got a 2xx, endpoints that must answer. */
export interface Ledger {
  readonly builds: string[];
  readonly endpoints: string[];
}

/**
 * Audits an installation as `npm run audit` does, with what its clients were promised: each build that was acknowledged has
 * ended, and each endpoint answers.
 */
export async function audit(
  { home, variables }: Installation,
  ledger: Ledger,
  answers: (endpoint: string) => Promise<boolean>,
): Promise<{ findings: Finding[]; checked: number; broken: string[] }> {
  const file = home.at("tmp", `ledger-${process.pid}.json`);
  writeFileSync(file, JSON.stringify(ledger.builds));
  const bundles = process.env["BOARDWALK_BUNDLES"] ?? (await bundle());
  const child = spawn(
    process.execPath,
    [join(bundles, "scripts-entries-audit.mjs"), "--json", "--running", "--ledger", file],
    {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
      env: { ...home.env, NODE_ENV: "production", BOARDWALK_HOME: home.path, ...variables },
    },
  );
  const findings = (await json(child.stdout)) as Finding[];
  rmSync(file);
  const broken = findings.flatMap(({ invariant, faults }) =>
    faults.map((fault) => `${invariant} ${fault}`),
  );
  const endpoints = [...new Set(ledger.endpoints)];
  for (const name of endpoints)
    if (!(await answers(name))) broken.push(`${name}: it does not answer`);
  const checked = findings.reduce((sum, each) => sum + each.checked, endpoints.length);
  return { findings, checked, broken };
}
