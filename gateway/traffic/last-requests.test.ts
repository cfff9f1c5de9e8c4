import { describe, expect, it } from "vitest";
import { Asked, type AskedEnd } from "./asked";
import { LastRequests } from "./last-requests";

const answered: AskedEnd = { status: 200, error: null, seconds: 0.002 };

function ask(more: Partial<Asked> = {}, keepsPayloads = false): Asked {
  return Object.assign(new Asked("iris", keepsPayloads, "http"), more);
}

describe("the last requests between two writes", () => {
  it("are the newest 200 of an endpoint, whatever came before", () => {
    const requests = new LastRequests();
    for (let n = 0; n < 1000; n++) requests.note(ask({ requestId: `n${n}` }), answered, n);
    const kept = requests.take().map(({ requestId }) => Number(requestId.slice(1)));
    expect(kept.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 200 }, (_, n) => 800 + n));
  });

  it("are handed over again, with the same ids, until they are written", () => {
    const requests = new LastRequests();
    requests.note(ask(), answered, 10);
    const [first] = requests.take();
    requests.note(ask(), answered, 20);
    const again = requests.take();
    expect(again).toHaveLength(2);
    expect(again[0]?.id).toBe(first?.id);
    requests.done();
    expect(requests.take()).toEqual([]);
  });

  it("begin when they came, to the microsecond, and name the slot by its uuid", () => {
    const requests = new LastRequests();
    const slotId = "slt_00000000-0000-7000-8000-000000000001";
    requests.note(ask({ slotId }), { ...answered, seconds: 0.0005 }, 1000.75);
    expect(requests.take()).toMatchObject([
      { at: "1970-01-01T00:00:01.000250Z", latencyUs: 500, slotId: slotId.slice(4) },
    ]);
  });

  it.each([
    { keeps: false, message: "unexpected inference input ‘…’ for model ‘…’" },
    { keeps: true, message: "unexpected inference input 'secret' for model 'iris'" },
  ])("quote the request in errors only where it is kept: $keeps", ({ keeps, message }) => {
    const requests = new LastRequests();
    const error = {
      reason: "INFER_INVALID",
      message: "unexpected inference input 'secret'\n for model 'iris'",
    };
    requests.note(ask({}, keeps), { status: 400, error, seconds: 0.001 }, 0);
    expect(requests.take()).toMatchObject([{ status: 400, reason: "INFER_INVALID", message }]);
  });

  it("hold no more than 16 MiB of bodies while the database is away, the newest of them", () => {
    const requests = new LastRequests();
    const body = "x".repeat(64 * 1024);
    for (let write = 0; write < 3; write++) {
      for (let n = 0; n < 200; n++) requests.note(ask({ body }, true), answered, write);
      requests.take();
    }
    const kept = requests.take();
    const bodies = kept.filter((request) => request.body !== null);
    expect(kept).toHaveLength(600);
    expect(bodies).toHaveLength(256);
    expect(kept.at(-1)?.body).toBe(body);
    expect(kept[0]?.body).toBeNull();
  });

  it("hold nothing that Postgres cannot store", () => {
    const requests = new LastRequests();
    requests.note(ask({ requestId: "a\0b\ud800c" }), answered, 0);
    expect(requests.take()[0]?.requestId).toBe("ab\ufffdc");
  });
});
