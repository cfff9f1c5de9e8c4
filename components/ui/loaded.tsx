import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { ErrorNote } from "./error-note";

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>;
  /** Stands where the answer will be. */
  readonly loading: ReactNode;
  /** What a failure is called: `The boards cannot be read.` */
  readonly failure: string;
  /** What stands around a failure, if anything. */
  readonly around?: (note: ReactNode) => ReactNode;
  /** In the place of a list that holds nothing. */
  readonly empty?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** What a query answered; before that, that it loads; else why it cannot be read, to be tried again. */
export function Loaded<Data>({
  query,
  loading,
  failure,
  around = (note) => note,
  empty,
  children,
}: LoadedProps<Data>) {
  if (query.isPending) return loading;
  if (query.isError) {
    return around(
      <ErrorNote title={failure} error={query.error} onRetry={() => void query.refetch()} />,
    );
  }
  if (empty !== undefined && isEmptyList(query.data)) return empty;
  return children(query.data);
}

const isEmptyList = (data: unknown) =>
  typeof data === "object" &&
  data !== null &&
  "items" in data &&
  Array.isArray(data.items) &&
  data.items.length === 0;
