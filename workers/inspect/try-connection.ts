import type { InspectionRequest } from "@/lib/common/contract";
import { ownConnections, sourceSettings, testConnection } from "../fetch";

type Asked = Extract<InspectionRequest, { kind: "connection" }>;

/** Tries a connection, as it is or as it would be. @throws {AppError} Why it does not open. */
export async function tryConnection(
  { id, connection, secret }: Asked,
  signal: AbortSignal,
): Promise<{ readonly said: string }> {
  const { listed, ca, resolve } = await sourceSettings();
  const said = await testConnection(
    { id, leads: connection, secret, version: 0 },
    { policy: listed, connections: ownConnections, ca, resolve, signal },
  );
  return { said };
}
