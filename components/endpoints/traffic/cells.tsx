"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Amount, quantityOfNs, quantityOfShare, Unknown } from "@/components/ui";
import type { TrafficSummary } from "@/lib/common/contract";
import { summaryQuery } from "./api";
import { Sparkline } from "./sparkline";
import { tickText } from "./ticks";

/** What a list shows of an endpoint's last half hour; a dash while it is not known. */
function Cell({
  name,
  children,
}: {
  name: string;
  children: (summary: TrafficSummary) => ReactNode;
}) {
  const { data } = useQuery(summaryQuery(name));
  return data ? children(data) : <Unknown />;
}

/** Requests of each of the last 30 minutes, as a picture. */
export function RecentCell({ name }: { name: string }) {
  const t = useTranslations("traffic.cells");
  return (
    <Cell name={name}>
      {({ minutes, requests, perMinute }) =>
        perMinute === null ? (
          <Unknown />
        ) : (
          <Sparkline minutes={minutes} label={t("recent", { count: requests })} />
        )
      }
    </Cell>
  );
}

/** Requests a minute, in the mean of the last 30. */
export function RateCell({ name }: { name: string }) {
  return (
    <Cell name={name}>
      {({ perMinute }) => (perMinute === null ? <Unknown /> : tickText(perMinute))}
    </Cell>
  );
}

/** The time within which 99 of 100 were answered. */
export function SlowestCell({ name }: { name: string }) {
  return (
    <Cell name={name}>
      {({ p99Ms }) => (p99Ms === null ? <Unknown /> : <Amount {...quantityOfNs(p99Ms * 1e6)} />)}
    </Cell>
  );
}

/** The share of the requests that failed. */
export function ErrorCell({ name }: { name: string }) {
  return (
    <Cell name={name}>
      {({ errorShare }) =>
        errorShare === null ? (
          <Unknown />
        ) : (
          <span className={errorShare > 0 ? "text-bad" : ""}>
            <Amount {...quantityOfShare(errorShare)} />
          </span>
        )
      }
    </Cell>
  );
}
