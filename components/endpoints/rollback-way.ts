/**
 * Which way an endpoint goes that is to serve a revision: `back` to an earlier one, also where none serves, `forward` to a
 * later one, or it would `stay` with the one that serves, which calls off the one that was to take over.
 *
 * @param serving Ordinal of the one that serves; undefined while none does.
 */
export function rollbackWay(
  ordinal: number,
  serving: number | undefined,
): "back" | "forward" | "stay" {
  if (serving === undefined || ordinal < serving) return "back";
  return ordinal === serving ? "stay" : "forward";
}
