/**
 * The address of the form with all that a revision of an endpoint was asked for with, to change and to add as a further one.
 *
 * @param revision Its ordinal; left out: the one that serves.
 * @param question The part of the form to begin at.
 */
export function newRevisionOf(
  name: string,
  {
    revision,
    question,
  }: { readonly revision?: number; readonly question?: "board" | "range" | "serving" } = {},
): string {
  const query = new URLSearchParams({ endpoint: name });
  if (revision !== undefined) query.set("revision", String(revision));
  return `/deploy?${query}${question ? `#question-${question}` : ""}`;
}
