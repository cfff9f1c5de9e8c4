import type { Build, StageName } from "@/lib/common/contract";

/** The commands of the original's build, and the stage of ours that each of them stands for. */
const commands: readonly (readonly [command: string, stage: StageName])[] = [
  ["make bondmachine", "inspect"],
  ["make hdl", "plan"],
  ["make design_synthesis", "synthesise"],
  ["make design_implementation", "place"],
  ["make design_bitstream", "pack"],
];

/** Tells of a build's stages as the original tells of its commands: each beginning and each end once, in their order. */
export class CommandTeller {
  private readonly tell: (text: string) => void;
  private next = 0;
  private begun = false;

  constructor(tell: (text: string) => void) {
    this.tell = tell;
  }

  /** Tells what is new. Of a stage that the build skips nothing is told. */
  see({ stages }: Pick<Build, "stages">): void {
    for (; ; this.next++, this.begun = false) {
      const [command, name] = commands[this.next] ?? [];
      const state = stages.find((stage) => stage.name === name)?.state;
      if (command === undefined || state === undefined || state === "waiting") return;
      if (state === "skipped") continue;
      if (!this.begun) this.tell(`Before exec command: ${command}`);
      this.begun = true;
      if (state !== "succeeded") return;
      this.tell(`command executed successfully: ${command}`);
    }
  }
}
