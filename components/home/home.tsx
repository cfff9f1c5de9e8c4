"use client";

import Link from "next/link";
import { Shelf } from "@/components/boards";
import { Section } from "@/components/ui";
import { BuildStrip } from "./build-strip";
import { EndpointRows } from "./endpoint-rows";
import { FirstHour } from "./first-hour";
import { NeedsYou } from "./needs-you";

/** The first page: what is served, what waits for a person, and how to begin. */
export function Home() {
  return (
    <>
      <section className="mb-12">
        <div className="mb-3 flex flex-wrap items-baseline justify-between gap-3">
          <h1>On the bench</h1>
          <Link className="btn btn-primary" href="/deploy">
            Deploy a model
          </Link>
        </div>
        <NeedsYou />
        <Shelf />
      </section>
      <FirstHour />
      <Section
        title="Endpoints"
        aside={
          <Link className="text-dense" href="/endpoints">
            All endpoints
          </Link>
        }
      >
        <EndpointRows />
      </Section>
      <Section
        title="Builds, last 24 hours"
        aside={
          <Link className="text-dense" href="/builds">
            All builds
          </Link>
        }
      >
        <BuildStrip />
      </Section>
    </>
  );
}
