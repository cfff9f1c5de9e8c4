import { mostGateways } from "@/lib/common/contract";
import { database } from "@/lib/server/db";

/**
 * Notes that a gateway is up, now by the database's clock. Board servers of other hosts let it call from then on.
 *
 * @param gateway `publicKey`: Ed25519, base64 of the raw 32 bytes. `name`: of its process.
 */
export async function reportGateway({
  publicKey,
  name,
}: {
  readonly publicKey: string;
  readonly name: string;
}): Promise<void> {
  await database().$executeRaw`
    INSERT INTO gateway (public_key, name) VALUES (${publicKey}, ${name})
    ON CONFLICT (public_key) DO UPDATE SET name = excluded.name, seen_at = now()`;
}

/** Keys of the gateways that may call board servers, those that were heard of last first. */
export async function listGatewayKeys(): Promise<readonly string[]> {
  const rows = await database().gateway.findMany({
    orderBy: [{ seenAt: "desc" }, { publicKey: "asc" }],
    take: mostGateways,
  });
  return rows.map(({ publicKey }) => publicKey).toSorted();
}
