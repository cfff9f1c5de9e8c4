import type { Caller } from "@/gateway/core";

/** Whose a token is: `admin` may do all, `user` may use every model but `matrix`; others are nobody's. */
export async function verifyToken(token: string): Promise<Caller | null> {
  if (token === "admin") return { id: "admin", may: () => true };
  if (token !== "user") return null;
  return { id: "user", may: (action, model) => action === "use" && model !== "matrix" };
}
