/** Which page is asked for, as the API's query says it. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor?: string | undefined;
}
/** A page of a list; null on the last one, and on the first, instead of a cursor. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
  /** Left out by lists that are read forward only. */
  previousCursor?: string | null;
}
