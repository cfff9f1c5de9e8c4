import pg from "pg";

/** What clients were promised: builds that got a 2xx, endpoints that must answer. */
export interface Ledger {
  readonly builds: string[];
  readonly endpoints: string[];
}

const terminal = ["succeeded", "failed", "cancelled", "timed_out"];

/**
 * Looks each acknowledged build and endpoint up and lists what is broken: a build that did not end exactly once, whose
 * history does not tell its state, whose log has a gap; an artifact that is not the only one of its plan; an endpoint
 * that does not answer.
 */
export async function audit(
  databaseUrl: string,
  ledger: Ledger,
  answers: (endpoint: string) => Promise<boolean>,
): Promise<{ checked: number; broken: string[] }> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const broken: string[] = [];
  let checked = 0;
  const check = (good: boolean, what: string) => {
    checked += 1;
    if (!good) broken.push(what);
  };
  try {
    for (const id of new Set(ledger.builds)) {
      const uuid = id.replace(/^bld_/, "");
      const { rows: builds } = await client.query("SELECT * FROM build WHERE id = $1", [uuid]);
      check(builds.length === 1, `${id}: the build is lost`);
      const build = builds[0];
      if (!build) continue;
      check(terminal.includes(build.state), `${id}: it never ended, it is ${build.state}`);
      const { rows: transitions } = await client.query(
        "SELECT from_state, to_state FROM transition WHERE build_id = $1 ORDER BY id",
        [uuid],
      );
      const ends = transitions.filter(({ to_state }) => terminal.includes(to_state));
      check(ends.length === 1, `${id}: it ended ${ends.length} times`);
      check(transitions.at(-1)?.to_state === build.state, `${id}: its history tells another state`);
      const { rows: artifacts } = await client.query(
        "SELECT digest FROM artifact WHERE plan_digest = $1",
        [build.plan_digest],
      );
      check(
        build.state !== "succeeded" || artifacts.length === 1,
        `${id}: ${artifacts.length} artifacts of its plan`,
      );
      const { rows: attempts } = await client.query(
        "SELECT epoch, lines FROM attempt WHERE build_id = $1",
        [uuid],
      );
      for (const attempt of attempts) {
        const { rows: chunks } = await client.query(
          "SELECT first_line, last_line, byte_offset, bytes FROM log_chunk WHERE build_id = $1 AND epoch = $2 ORDER BY seq",
          [uuid, attempt.epoch],
        );
        let line = 1;
        let offset = 0;
        let whole = true;
        for (const chunk of chunks) {
          whole &&= chunk.first_line === line && Number(chunk.byte_offset) === offset;
          line = chunk.last_line + 1;
          offset += chunk.bytes;
        }
        check(whole, `${id}: the log of attempt ${attempt.epoch} has a gap`);
      }
    }
    for (const name of new Set(ledger.endpoints)) {
      check(await answers(name), `${name}: it does not answer`);
    }
    return { checked, broken };
  } finally {
    await client.end();
  }
}
