/** How the small memories are made. */
export interface MapMemoryStyles {
  readonly constants: "block" | "logic";
  readonly result: "block" | "logic";
  readonly tables: "block" | "logic";
}
