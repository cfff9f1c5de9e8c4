import pg from "pg";

interface Sent {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** Runs something and answers the plan of each query that it sent, as Postgres carries it out with the very same values. */
export async function capturePlans(
  client: pg.Client,
  run: () => Promise<unknown>,
): Promise<string> {
  const sent: Sent[] = [];
  const original = pg.Client.prototype.query;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [first, second] = args as [string | Partial<Sent>, unknown];
    const text = typeof first === "string" ? first : (first.text ?? "");
    const values = Array.isArray(second)
      ? second
      : typeof first === "string"
        ? []
        : (first.values ?? []);
    if (/^\s*(SELECT|WITH)/.test(text)) sent.push({ text, values });
    return Reflect.apply(original, this, args);
  } as typeof original;
  try {
    await run();
  } finally {
    pg.Client.prototype.query = original;
  }
  const plans = [];
  for (const { text, values } of sent) {
    const { rows } = await client.query<{ "QUERY PLAN": string }>(
      `EXPLAIN (ANALYZE, COSTS OFF, TIMING ON, BUFFERS OFF) ${text}`,
      [...values],
    );
    plans.push(rows.map((row) => `    ${row["QUERY PLAN"]}`).join("\n"));
  }
  return plans.join("\n    --\n");
}
