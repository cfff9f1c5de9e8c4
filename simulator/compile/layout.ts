import { fail } from "@/lib/common/errors";
import type { Node } from "./circuit";
import type { Design, Memory, Visible } from "./design";

export interface MemoryPlace {
  readonly offset: number;
  readonly elementBytes: 1 | 2 | 4 | 8;
}

export interface VisiblePlace extends Visible {
  readonly offset: number;
  /** Whether settling has to store it; a register is visible where it lives. */
  readonly stored: boolean;
}

/** Where everything of a design lies in linear memory: inputs, registers, memories, then what settling stores. */
export interface Layout {
  readonly memories: readonly MemoryPlace[];
  readonly outputs: readonly VisiblePlace[];
  readonly signals: readonly VisiblePlace[];
  /** Bytes that `reset` clears: registers and memories. */
  readonly state: { readonly offset: number; readonly sizeBytes: number };
  readonly slotOffset: (slot: number) => number;
  /** A new slot at the end, for values that cross functions. */
  readonly addSlot: () => number;
  readonly sizeBytes: () => number;
}

const slotBytes = 8;
const maxSizeBytes = 512 * 1024 * 1024;

export function layOut(design: Design): Layout {
  const slotOffset = (slot: number): number => slot * slotBytes;
  const inputs = design.inputs.length;
  let end = slotOffset(inputs + design.registers.length);
  const memories = design.memories.map((memory): MemoryPlace => {
    const elementBytes = elementBytesOf(memory);
    const offset = end;
    end += Math.ceil((memory.depth * elementBytes) / slotBytes) * slotBytes;
    return { offset, elementBytes };
  });
  if (end > maxSizeBytes) {
    throw fail(
      "CELL_UNSUPPORTED",
      `The design's memories take ${end} bytes, over ${maxSizeBytes}.`,
    );
  }
  const state = { offset: slotOffset(inputs), sizeBytes: end - slotOffset(inputs) };
  const addSlot = (): number => {
    const offset = end;
    end += slotBytes;
    return offset;
  };

  /** A register without asynchronous controls is shown where it lives. */
  const isRegister = (node: Node): boolean => node.op === "load" && node.index >= inputs;
  const place = (visible: Visible): VisiblePlace =>
    isRegister(visible.node)
      ? { ...visible, offset: slotOffset(visible.node.index), stored: false }
      : { ...visible, offset: addSlot(), stored: true };
  const outputs = design.outputs.map(place);
  const signals = design.signals.map(place);
  return { memories, outputs, signals, state, slotOffset, addSlot, sizeBytes: () => end };
}

function elementBytesOf({ width }: Memory): 1 | 2 | 4 | 8 {
  if (width <= 8) return 1;
  if (width <= 16) return 2;
  return width <= 32 ? 4 : 8;
}
