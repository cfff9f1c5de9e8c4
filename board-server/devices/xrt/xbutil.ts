import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { fail } from "@/lib/common/errors";
import { makeTemporaryFolder, runChild } from "@/lib/server/process";

const limitMs = { examine: 30_000, reset: 120_000 } as const;
const keptBytes = 4000;

const flag = z.union([z.boolean(), z.enum(["true", "false"]).transform((word) => word === "true")]);
const devicesSchema = z
  .array(
    z.looseObject({
      bdf: z.string(),
      vbnv: z.string().default(""),
      is_ready: flag.default(true),
    }),
  )
  // Of an empty list the tool writes an empty text.
  .or(z.literal("").transform(() => []));
const hostSchema = z.looseObject({ host: z.looseObject({ devices: devicesSchema }) });
/** Versions differ in whether the report of the host lies below `system`. */
const reportSchema = z.union([
  z.looseObject({ system: hostSchema }).transform(({ system }) => system.host.devices),
  hostSchema.transform(({ host }) => host.devices),
]);

/** A card as XRT sees it. */
export interface Card {
  /** Its user function on the bus: `0000:65:00.1`. */
  readonly device: string;
  /** The platform that is on it: `xilinx_u50_gen3x16_xdma_base_5`. */
  readonly platform: string;
  readonly isReady: boolean;
}

/**
 * The cards of this host.
 *
 * @param xrt Where XRT is installed.
 * @throws {AppError} `TOOL_MISSING`, `DEVICE_FAILED` with the tool's last words.
 * @see XRT, xbutil: `xbutil examine --format JSON --output FILE`
 */
export async function examine(xrt: string): Promise<readonly Card[]> {
  const folder = makeTemporaryFolder("xbutil");
  const report = path.join(folder, "report.json");
  try {
    await xbutil(xrt, ["examine", "--format", "JSON", "--output", report], limitMs.examine);
    const devices = reportSchema.parse(JSON.parse(await readFile(report, "utf8")));
    return devices.map(({ bdf, vbnv, is_ready }) => ({
      device: bdf,
      platform: vbnv,
      isReady: is_ready,
    }));
  } catch (cause) {
    if (cause instanceof z.ZodError || cause instanceof SyntaxError) {
      throw fail("DEVICE_FAILED", "xbutil's report of the host cannot be read.", {
        hint: "XRT 2.11 (2021.1) or newer writes it.",
        cause,
      });
    }
    throw cause;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Resets a card: what was loaded on it is gone. @throws {AppError} `TOOL_MISSING`, `DEVICE_FAILED` */
export async function resetCard(xrt: string, device: string): Promise<void> {
  await xbutil(xrt, ["--force", "reset", "--device", device], limitMs.reset);
}

async function xbutil(xrt: string, args: readonly string[], wallMs: number): Promise<void> {
  const tool = path.join(xrt, "bin/xbutil");
  if (!existsSync(tool)) {
    throw fail("TOOL_MISSING", `There is no ${tool}.`, {
      hint: 'Install XRT on the host of the card, or say as "xrt" where it is.',
    });
  }
  let output = "";
  const { exitCode, end } = await runChild({
    argv: [tool, ...args],
    cwd: "/",
    env: { ...xrtEnv(xrt), LANG: "C.UTF-8" },
    wallMs,
    onOutput: (_, bytes) => {
      output = (output + bytes.toString()).slice(-keptBytes);
    },
  });
  if (exitCode === 0 && end === null) return;
  const why = end === null ? `ended with status ${exitCode}` : "took too long";
  const words = output.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
  throw fail(
    "DEVICE_FAILED",
    `xbutil ${args.find((arg) => !arg.startsWith("-"))} ${why}: ${words}`,
    {
      hint: "`xbutil validate` on the host of the card shows what is wrong with it.",
      details: { output },
    },
  );
}

/** What XRT's own `setup.sh` sets. */
export function xrtEnv(xrt: string): Readonly<Record<string, string>> {
  return {
    XILINX_XRT: xrt,
    PATH: `${path.join(xrt, "bin")}:/usr/local/bin:/usr/bin:/bin`,
    LD_LIBRARY_PATH: path.join(xrt, "lib"),
    PYTHONPATH: path.join(xrt, "python"),
  };
}
