import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type AppError, fail, systemCodeOf } from "@/lib/common/errors";
import type { HostFiles } from "./host-files";

/** Loading takes some tenths of a second. */
const patience = { everyMs: 50, mostMs: 10_000 } as const;
/** A full configuration, neither encrypted nor authenticated. */
const fullFlags = "0";

/** Where the kernel shows its FPGA managers. */
export const managersIn = (sys: string): string => path.join(sys, "class/fpga_manager");

/**
 * The manager of that name, or the only one of the host.
 *
 * @returns Its folder in sysfs.
 * @throws {AppError} `DEVICE_FAILED` when there is none, or a name is needed.
 */
export async function findManager(
  files: HostFiles,
  sys: string,
  wanted: string | undefined,
): Promise<string> {
  const names = await files.list(managersIn(sys));
  const name = wanted ?? (names.length === 1 ? names[0] : undefined);
  if (name !== undefined && names.includes(name)) return path.join(managersIn(sys), name);
  if (names.length === 0) {
    throw fail("DEVICE_FAILED", `This host has no FPGA manager: nothing in ${managersIn(sys)}.`, {
      hint: "The kernel needs CONFIG_FPGA_MGR_ZYNQ_FPGA (or _ZYNQMP_FPGA), and the board's device tree its FPGA.",
    });
  }
  throw fail(
    "DEVICE_FAILED",
    wanted === undefined
      ? `This host has several FPGA managers: ${names.join(", ")}.`
      : `This host has no FPGA manager "${wanted}", but ${names.join(", ")}.`,
    { hint: 'Name one as "manager" in the file that names the boards.' },
  );
}

/**
 * What the manager says of its FPGA: `operating` when it has a design.
 *
 * @throws {AppError} `DEVICE_FAILED` when the manager is gone.
 * @see Linux, Documentation/ABI/testing/sysfs-class-fpga-manager
 */
export async function readState(files: HostFiles, manager: string): Promise<string> {
  try {
    return await files.read(path.join(manager, "state"));
  } catch (cause) {
    throw fail("DEVICE_FAILED", `The FPGA manager ${path.basename(manager)} is gone.`, {
      hint: "Is its driver still loaded? `dmesg` on the host of the board shows why it left.",
      cause,
    });
  }
}

/** Whether the manager takes the name of a file; those of kernels without AMD's changes do not. */
export async function takesFirmware(files: HostFiles, manager: string): Promise<boolean> {
  return (await files.list(manager)).includes("firmware");
}

/**
 * Has the kernel load a file of its folder of firmware.
 *
 * @throws {AppError} `DEVICE_FAILED`, `DEVICE_BUSY` with the kernel's reason.
 * @see AMD, Solution ZynqMP PL Programming, and linux-xlnx, drivers/fpga/fpga-mgr.c: `flags`, `firmware`.
 */
export async function loadFirmware(
  files: HostFiles,
  manager: string,
  { file, signal }: { readonly file: string; readonly signal: AbortSignal },
): Promise<void> {
  try {
    // Written by name alone; an older kernel has no flags, and loads all of the FPGA anyway.
    if ((await files.list(manager)).includes("flags"))
      await files.write(path.join(manager, "flags"), fullFlags);
    await files.write(path.join(manager, "firmware"), file);
  } catch (cause) {
    throw refused(cause, { manager, file, state: await readState(files, manager) });
  }
  await untilOperating(files, manager, signal);
}

/** Waits until the FPGA has its design. @throws {AppError} `DEVICE_FAILED` with what the manager says. */
export async function untilOperating(
  files: HostFiles,
  manager: string,
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + patience.mostMs;
  for (;;) {
    const state = await readState(files, manager);
    if (state === "operating") return;
    const isOver = performance.now() > end;
    if (isOver || state.endsWith("error")) {
      const why = isOver ? `still says "${state}" after ${patience.mostMs / 1000} s` : state;
      const status = await files.read(path.join(manager, "status")).catch(() => "");
      throw fail(
        "DEVICE_FAILED",
        `The FPGA was not loaded: ${path.basename(manager)}: ${[why, status].filter(Boolean).join(", ")}.`,
        { hint: "`dmesg` on the host of the board has the driver's own words." },
      );
    }
    await sleep(patience.everyMs, undefined, { signal });
  }
}

function refused(
  cause: unknown,
  { manager, file, state }: { readonly manager: string; readonly file: string; state: string },
): AppError {
  const name = path.basename(manager);
  switch (systemCodeOf(cause)) {
    case "EACCES":
    case "EPERM":
      return fail("DEVICE_FAILED", `The FPGA manager ${name} may not be written.`, {
        hint: "Run the board server as a user who may write it: docs/boards-zynq.md has a rule for that.",
        cause,
      });
    case "EBUSY":
      return fail("DEVICE_BUSY", `Another program is loading the FPGA of ${name}.`, { cause });
    case "ENOENT":
      return fail("DEVICE_FAILED", `The kernel does not find ${file} in its folders of firmware.`, {
        hint: 'Name the folder where it looks, such as /lib/firmware, as "firmwareFolder".',
        cause,
      });
    default:
      return fail("DEVICE_FAILED", `The kernel refuses the bitstream: ${name} says "${state}".`, {
        hint: "`dmesg` on the host of the board has the driver's own words.",
        cause,
      });
  }
}
