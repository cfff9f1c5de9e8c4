import { describe, expect, it } from "vitest";
import { POST as create } from "@/app/create_isvc/route";
import { POST as remove } from "@/app/delete_isvc/route";
import { GET as list } from "@/app/list_isvc/route";
import { poll } from "@/domain/board-servers";
import { database } from "@/lib/server/db";
import type { Handler } from "@/lib/server/handler";
import { openApi, portal } from "../support/api";
import { addBoardServer } from "../support/domain";

// The three calls of BondMachine's original interface, as its page makes them.

openApi();

async function ask(handler: Handler, body?: unknown, headers: Record<string, string> = {}) {
  const request = new Request(`${portal}/x_isvc`, {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      host: new URL(portal).host,
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await handler(request, { params: Promise.resolve({}) });
  return { status: answer.status, body: await answer.json() };
}

const url = "s3://boardwalk-samples/iris-mlp/model.onnx";
const service = (isvcname: string, isvctype: string, from = url) => ({
  isvcname,
  isvctype,
  url: from,
});
const requestOf = async (name: string) => {
  const revision = await database().revision.findFirst({ where: { endpoint: { name } } });
  return revision?.request;
};

describe("services of the original's interface", () => {
  it.each([
    ["sklearn", "onnx", "cpu"],
    ["xgboost", "xgboost", "cpu"],
    ["tensorflow", "tensorflow", "cpu"],
    ["onnx", "onnx", "cpu"],
    ["fpga-model", "bondmachine", "simulated"],
  ])("are endpoints: %s", async (type, engine, kind) => {
    const name = `by-${type}`;
    expect(await ask(create, service(name, type))).toEqual({
      status: 200,
      body: { message: "Successfully submitted" },
    });
    expect(await requestOf(name)).toMatchObject({ engine, board: { kind }, model: { url } });
  });

  it("are listed with the original's members, and no others", async () => {
    const { status, body } = await ask(list);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(["Items"]);
    expect(body.Items).toHaveLength(5);
    expect(body.Items.find(({ name }: { name: string }) => name === "by-onnx")).toEqual({
      name: "by-onnx",
      modelName: "onnx",
      protocolVersion: "v2",
      storageUri: url,
      url: expect.stringMatching(/^http.*by-onnx/),
    });
    expect(body.Items.map(({ modelName }: { modelName: string }) => modelName)).toContain(
      "fpga-model",
    );
  });

  it.each([
    ["a name that is taken", service("by-onnx", "onnx"), 409, "NAME_TAKEN"],
    ["a name for a shell", service("x; rm -rf /", "onnx"), 422, "NAME_INVALID"],
    ["a name that climbs", service("../x", "onnx"), 422, "NAME_INVALID"],
    [
      "an address that is none",
      service("bad", "onnx", "file:///etc/passwd"),
      422,
      "URL_NOT_ALLOWED",
    ],
    [
      "firmware without a board",
      service("fw", "fpga-model", "https://h/a.bit"),
      503,
      "NO_BOARD_FREE",
    ],
  ])(
    "are refused in the original's word, with the reason beside it: %s",
    async (_, body, status, reason) => {
      const before = await database().endpoint.count();
      expect(await ask(create, body)).toMatchObject({
        status,
        body: {
          message: "Error creating resource",
          error: { reason, message: expect.any(String) },
        },
      });
      expect(await database().endpoint.count()).toBe(before);
    },
  );

  it("are refused where a member is missing or of another kind", async () => {
    for (const body of [{}, { ...service("a", "onnx"), isvctype: "pmml" }, []])
      expect(await ask(create, body)).toMatchObject({ status: 422 });
  });

  it("take firmware to a real board that is free", async () => {
    const serverId = await addBoardServer();
    await poll(
      serverId,
      {
        address: { kind: "unix", path: "/s" },
        boards: [{ key: "zedboard-bond-1", boardModel: "zedboard", kind: "physical", slots: 1 }],
        simulatedCapacity: 0,
        slots: [],
        adopted: [],
        waitS: 0,
      },
      new AbortController().signal,
    );
    const body = service(
      "firmware",
      "fpga-model",
      "https://models.example.com/fpga-models/banknote.bit",
    );
    expect(await ask(create, body)).toMatchObject({ status: 200 });
    expect(await requestOf("firmware")).toMatchObject({
      engine: "prebuilt",
      board: { id: /^brd_/ },
    });
  });

  it("end when they are deleted, and only they", async () => {
    expect(await ask(remove, { isvcname: "by-onnx" })).toEqual({
      status: 200,
      body: { message: "Successfully deleted resource" },
    });
    expect(await ask(remove, { isvcname: "nothing" })).toMatchObject({
      status: 404,
      body: { message: "Error deleting resource", error: { reason: "ENDPOINT_UNKNOWN" } },
    });
    const live = { deleteRequestedAt: null, deletedAt: null };
    expect(await database().endpoint.count({ where: live })).toBe(5);
  });
});
