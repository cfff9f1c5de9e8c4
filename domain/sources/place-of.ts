import type { ProjectPlace } from "@/lib/common/contract";
import { fail } from "@/lib/common/errors";
import { isOwnBucket } from "@/lib/server/storage";
import { kindOf } from "./kinds/kind-of";
import { parseSourceUrl, type SourcePolicy } from "./source-policy";

/** What addresses begin with that a connection opens. */
export const prefixesOf = ({ kind, place }: ProjectPlace): readonly string[] =>
  kindOf(kind).prefixes(place as never);

/** What no other connection of the project may have as well. */
export const claimsOf = ({ kind, place }: ProjectPlace): readonly string[] =>
  kindOf(kind).claims(place as never);

/** Schemes, hosts and ports that a secret goes to, the store itself first. */
export const originsOf = ({
  kind,
  place,
}: Pick<ProjectPlace, "kind" | "place">): readonly [string, ...string[]] =>
  kindOf(kind).origins(place as never);

/** The connection of a project that opens an address; null: none does. */
export function placeOf<P extends ProjectPlace>(address: string, places: readonly P[]): P | null {
  const found = places.find(({ kind, place }) => kindOf(kind).leadsTo(address, place as never));
  return found ?? null;
}

/** Judges an address that a connection opens. @throws {AppError} `URL_NOT_ALLOWED` */
export const checkAddress = (
  address: string,
  { kind }: ProjectPlace,
  { field, policy }: { readonly field: string; readonly policy: SourcePolicy },
): void => kindOf(kind).check(address, field, policy);

/**
 * Judges where a connection of a project leads: public hosts, and those that the operator listed. A secret goes over `https`
 * alone, or in the clear within this machine.
 *
 * @throws {AppError} `URL_NOT_ALLOWED`, with the same words whatever listens there.
 */
export function checkPlace(place: ProjectPlace, policy: SourcePolicy): void {
  for (const origin of originsOf(place)) {
    const field = "place";
    const { url, host } = parseSourceUrl(origin, policy, field);
    if (url.protocol !== "https:" && !isLoopback(host))
      throw fail("URL_NOT_ALLOWED", "A secret goes over https alone.", {
        field,
        hint: "Give an https:// address.",
      });
  }
  if (place.kind !== "s3") return;
  const own = place.place.buckets.find(isOwnBucket);
  if (own !== undefined)
    throw fail("URL_NOT_ALLOWED", `A bucket named ${own} is Boardwalk's own.`, {
      field: "place",
      hint: "Name other buckets.",
    });
}

/** @param host As a URL has it, without brackets. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

/** Schemes that nothing opens but a connection of the project. */
const connectedSchemes = /^(oci|hf):\/\//i;

/** Refuses an address that only a connection could open, where there is none. @throws {AppError} `URL_NOT_ALLOWED` */
export function refuseUnconnected(address: string, field: string): void {
  const [, scheme] = connectedSchemes.exec(address) ?? [];
  if (scheme === undefined) return;
  throw fail("URL_NOT_ALLOWED", `No connection of this project opens this ${scheme}:// address.`, {
    field,
    hint: "An admin of the project can add one under Settings, Connections.",
  });
}
