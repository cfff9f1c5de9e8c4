import path from "node:path";
import type { HostFolders } from "../../host";
import { managersIn } from "./fpga-manager";
import { type HostFiles, hostFiles } from "./host-files";

/** An FPGA beside the host's processor. */
export interface FoundFpga {
  /** Its manager: `fpga0`. */
  readonly manager: string;
  /** What its driver calls itself: `Xilinx Zynq FPGA Manager`. */
  readonly driver: string;
  /** What the device tree calls the host; empty where it says nothing. */
  readonly hostModel: string;
}

/**
 * FPGAs that the kernel shows. Which board model they are on is said by the file that names the boards: the kernel knows
 * the chip's driver, and device trees have many names for one board.
 */
export async function findFpgas(
  { sys }: HostFolders,
  files: HostFiles = hostFiles,
): Promise<readonly FoundFpga[]> {
  const read = (file: string) => files.read(file).catch(() => "");
  const model = await read(path.join(sys, "firmware/devicetree/base/model"));
  const hostModel = model.replaceAll("\0", "");
  return await Promise.all(
    (await files.list(managersIn(sys))).map(async (manager) => ({
      manager,
      driver: await read(path.join(managersIn(sys), manager, "name")),
      hostModel,
    })),
  );
}
