import { checkedLookup, parseObjectAddress, parseSourceUrl } from "@/domain/sources";
import { openStore, peekStore } from "../open-store";
import { mend, type OpenConnection, type ReadOptions, type SourceReader } from "./source-reader";

/** Reads stores that speak S3. */
export const s3: SourceReader<"s3"> = {
  async open(address, connection, options) {
    const { bucket, key } = parseObjectAddress(address, "model.url");
    return await openStore(
      { bucket, key, connection: storeOf(connection) },
      keysFor(connection, options),
    );
  },
  async test(connection, options) {
    const counts: string[] = [];
    for (const bucket of connection.place.buckets) {
      const place = { bucket, connection: storeOf(connection) };
      const count = await peekStore(place, keysFor(connection, options));
      counts.push(count === 0 ? `${bucket} is empty` : `${bucket} can be listed`);
    }
    return `${counts.join(", ")}.`;
  },
};

const storeOf = ({ name, place: { endpoint, region } }: OpenConnection<"s3">) => ({
  kind: "s3" as const,
  name,
  endpoint,
  region,
});

function keysFor({ place, secret }: OpenConnection<"s3">, options: ReadOptions) {
  const source = parseSourceUrl(place.endpoint, options.policy);
  const lookup = checkedLookup(source, options.resolve);
  return { ...options, lookup, mend, credential: secret ?? undefined };
}
