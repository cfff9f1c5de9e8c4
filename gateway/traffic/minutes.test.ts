import { describe, expect, it } from "vitest";
import { noEndpoint } from "@/domain/traffic";
import { Asked } from "./asked";
import { Minutes } from "./minutes";

const minuteMs = 60_000;
const begin = Date.UTC(2026, 0, 1, 12);
const asked = new Asked("iris", false, "http");
asked.revision = 1;

const rowsOf = (minutes: Minutes, nowMs: number) =>
  minutes.take(nowMs).rows.filter(({ endpointId }) => endpointId !== noEndpoint);

describe("what is written of a minute", () => {
  it("is the whole of it again each time something came, and nothing where nothing did", () => {
    const minutes = new Minutes();
    minutes.of(asked, begin).answered(2, 100, null);
    const first = minutes.take(begin + 5000);
    expect(first.rows).toMatchObject([
      { endpointId: noEndpoint, requests: 0 },
      { at: "2026-01-01T12:00:00.000Z", revision: 1, requests: 1, rows: 2, totalUs: 100 },
    ]);
    first.done();
    expect(minutes.take(begin + 6000).rows).toEqual([]);
    minutes.of(asked, begin + 7000).failed(503);
    expect(rowsOf(minutes, begin + 8000)).toMatchObject([{ requests: 2, serverErrors: 1 }]);
  });

  it("belongs to the minute in which it came", () => {
    const minutes = new Minutes();
    minutes.of(asked, begin + minuteMs - 1).failed(400);
    minutes.of(asked, begin + minuteMs).failed(400);
    expect(rowsOf(minutes, begin + minuteMs).map(({ at, requests }) => [at, requests])).toEqual([
      ["2026-01-01T12:00:00.000Z", 1],
      ["2026-01-01T12:01:00.000Z", 1],
    ]);
  });

  it("is written after all when its write fails, also where the minute ends meanwhile", () => {
    const minutes = new Minutes();
    minutes.of(asked, begin).answered(1, 100, null);
    const lost = minutes.take(begin);
    expect(minutes.take(begin).rows.map(({ endpointId }) => endpointId)).toEqual([noEndpoint]);
    minutes.of(asked, begin + minuteMs).answered(1, 100, null);
    lost.failed();
    const rows = rowsOf(minutes, begin + minuteMs);
    expect(rows.map(({ at, requests }) => [at, requests])).toEqual([
      ["2026-01-01T12:00:00.000Z", 1],
      ["2026-01-01T12:01:00.000Z", 1],
    ]);
  });

  it("goes on in the same minute when the time steps back", () => {
    const minutes = new Minutes();
    minutes.of(asked, begin).failed(500);
    minutes.of(asked, begin - 10 * minuteMs).failed(500);
    expect(rowsOf(minutes, begin)).toMatchObject([{ requests: 2 }]);
  });

  it("is moved to the database's time as long as nothing is written", () => {
    const minutes = new Minutes();
    minutes.of(asked, begin).failed(500);
    minutes.shift(-60 * minuteMs);
    const [row] = rowsOf(minutes, begin - 60 * minuteMs);
    expect(row).toMatchObject({ at: "2026-01-01T11:00:00.000Z", requests: 1 });
  });

  it("waits for a database that is away, and is given up beyond what may wait, which is counted", () => {
    const minutes = new Minutes(200);
    const many = Array.from({ length: 50 }, (_, n) => new Asked(`endpoint ${n}`, false, "http"));
    for (let minute = 0; minute < 6; minute++)
      for (const each of many) minutes.of(each, begin + minute * minuteMs).failed(500);
    minutes.take(begin + 6 * minuteMs).failed();
    expect(minutes.droppedRequests).toBeGreaterThan(90);
    expect(minutes.droppedRequests).toBeLessThan(110);
    const write = minutes.take(begin + 6 * minuteMs);
    const requests = write.rows.reduce((sum, row) => sum + row.requests, 0);
    write.done();
    expect(requests + minutes.droppedRequests).toBe(300);
    expect(minutes.take(begin + 6 * minuteMs).rows).toEqual([]);
  });
});
