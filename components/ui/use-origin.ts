import { useEffect, useState } from "react";

/** Address of the portal, for commands to copy: as the browser has it, once the page runs there. */
export function useOrigin(): string {
  const [origin, setOrigin] = useState("http://localhost:3000");
  useEffect(() => setOrigin(window.location.origin), []);
  return origin;
}
