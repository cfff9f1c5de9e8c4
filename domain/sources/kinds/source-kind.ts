import type { SourcePolicy } from "../source-policy";

/** What a kind of connection means: which addresses it opens, and whom its secret is shown to. A kind is a file that makes one of these. */
export interface SourceKind<Place> {
  /** What addresses begin with that it opens, for people. */
  prefixes(place: Place): readonly string[];
  /** What no other connection of the project may have as well, or an address would lead to two. */
  claims(place: Place): readonly string[];
  /** Schemes, hosts and ports that its secret goes to, the store itself first; nobody else is shown it. */
  origins(place: Place): readonly [store: string, ...others: string[]];
  /** Whether an address is one of its own, well formed or not. */
  leadsTo(address: string, place: Place): boolean;
  /**
   * Judges an address of its own.
   *
   * @param field Where the person gave it.
   * @throws {AppError} `URL_NOT_ALLOWED`
   */
  check(address: string, field: string, policy: SourcePolicy): void;
}
