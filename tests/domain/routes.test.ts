import { beforeEach, describe, expect, it } from "vitest";
import { claimBuild, succeedBuild } from "@/domain/builds";
import { createRouteReader, loadRoutes, setEndpointPaused } from "@/domain/routes";
import { database } from "@/lib/server/db";
import { deploy } from "@/tests/support/deploy";
import { artifactOf, bare, iris, openDatabase, scope } from "../support/domain";

openDatabase();

const lease = { leaseS: 60, deadlineS: 600 };

async function deployed(name: string): Promise<void> {
  const { buildId } = await deploy(scope, iris(name));
  const attempt = await claimBuild(bare(buildId), "worker", lease);
  await succeedBuild(bare(buildId), attempt?.epoch ?? 0, { artifact: artifactOf(name) });
}

beforeEach(async () => {
  await database()
    .$executeRaw`TRUNCATE board_server, endpoint, endpoint_ordinal, build, artifact, event, outbox CASCADE`;
});

describe("a reader of routes", () => {
  it("that reads again sees what one sees that reads for the first time", async () => {
    const read = createRouteReader();
    expect(await read()).toEqual({ endpoints: [], gateways: 1 });
    await deployed("first");
    await deployed("second");
    expect((await read()).endpoints.map(({ name }) => name)).toEqual(["first", "second"]);
    await setEndpointPaused("first", true);
    const paused = await read();
    expect(paused).toEqual(await loadRoutes());
    expect(paused.endpoints[0]).toMatchObject({ state: "paused", revisions: [{ version: "1" }] });
    await setEndpointPaused("first", false);
    expect(await read()).toEqual(await loadRoutes());
    await database().$executeRaw`UPDATE endpoint SET deleted_at = now() WHERE name = 'first'`;
    expect((await read()).endpoints.map(({ name }) => name)).toEqual(["second"]);
  });

  it("takes nothing apart again that is as it was", async () => {
    const read = createRouteReader();
    await deployed("first");
    await deployed("second");
    const [first, second] = (await read()).endpoints;
    await setEndpointPaused("first", true);
    const again = (await read()).endpoints;
    expect(again[0]).not.toBe(first);
    expect(again[1]).toBe(second);
  });

  it("knows a revision whose words have line breaks", async () => {
    await deployed("first");
    await database()
      .$executeRaw`UPDATE endpoint SET problem = jsonb_build_object('message', E'one\ntwo')`;
    expect((await loadRoutes()).endpoints).toMatchObject([{ reason: "one\ntwo" }]);
  });
});
