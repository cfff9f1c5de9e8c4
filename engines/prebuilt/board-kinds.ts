import type { BoardKind, FileRole, Manifest } from "@/lib/common/contract";

/** Kinds of boards that an artifact has something to load for, the best first. */
export function boardKindsOf({ kind, files, simulate, core }: Manifest): BoardKind[] {
  const has = (role: FileRole) => files.some((file) => file.role === role);
  if (kind === "model") return has("model") ? ["cpu"] : [];
  const isSimulated = core && has(simulate === "shell" ? "simulation-shell" : "simulation");
  return [
    ...(isSimulated ? (["simulated"] as const) : []),
    ...(has("bitstream") ? (["physical"] as const) : []),
  ];
}
