import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import type { ForecastDeviation } from "@/lib/common/contract";
import { denseOutline } from "@/tests/support/compiler/dense-outline";
import { forecast } from "./forecast";
import { learn } from "./learn";
import type { FittingForecast } from "./types";

const board = getBoardModel("icebreaker");
const guessed = forecast({
  outline: denseOutline([64, 32, 32, 10]),
  board,
  architecture: "array",
});
if (!guessed.fits) throw new Error("the sample net fits");
const guess: FittingForecast = guessed;

const ice40 = { family: "ice40", clocksHz: board.standardClocksHz };

const error = (change: Partial<ForecastDeviation>): ForecastDeviation => ({
  family: "ice40",
  architecture: "array",
  figure: "lut",
  builds: 9,
  medianRatio: 1.1,
  lowRatio: 1.05,
  highRatio: 1.2,
  medianError: 0.1,
  ...change,
});

describe("learn", () => {
  it("moves a figure to where builds of its kind ended, with their band", () => {
    const { guess: learnt, builds } = learn(guess, ice40, [error({})]);
    const { expected } = guess.lut;
    expect(learnt.lut).toMatchObject({
      expected: Math.round(expected * 1.1),
      low: Math.floor(expected * 1.05),
      high: Math.ceil(expected * 1.2),
    });
    expect(learnt.cycles).toEqual(guess.cycles);
    expect(builds).toBe(9);
  });

  it.each([
    { what: "few builds", change: { builds: 4 } },
    { what: "another family", change: { family: "ecp5" } },
    { what: "another architecture", change: { architecture: "unrolled" } },
  ])("keeps to the formulas after $what", ({ change }) => {
    expect(learn(guess, ice40, [error(change)])).toEqual({ guess, builds: 0, timed: 0 });
  });

  it("takes the time of the first build of its kind for truer than the formula", () => {
    const { guess: learnt, timed } = learn(guess, ice40, [
      error({ figure: "seconds", builds: 2, medianRatio: 0.4, lowRatio: 0.4, highRatio: 0.4 }),
    ]);
    const { expected, low, high } = guess.buildSeconds;
    expect(timed).toBe(2);
    expect(learnt.buildSeconds.expected).toBe(Math.round(expected * 0.4));
    expect(learnt.buildSeconds).toMatchObject({
      low: Math.floor(low * 0.4),
      high: Math.ceil(high * 0.4),
    });
  });

  it("expects the clock that builds of its kind reached, unless somebody chose one", () => {
    const lower = Math.max(...board.standardClocksHz.filter((hz) => hz < guess.clockHz));
    const missed = error({ figure: "clock", builds: 2, medianRatio: lower / guess.clockHz });
    const { guess: learnt } = learn(guess, ice40, [missed]);
    expect(learnt.clockHz).toBe(lower);
    expect(learnt.microseconds).toBeCloseTo((learnt.cycles.expected / lower) * 1e6, 6);
    expect(learn(guess, ice40, [{ ...missed, builds: 1 }]).guess.clockHz).toBe(guess.clockHz);
    const chosen = learn(guess, { ...ice40, clocksHz: null }, [missed]);
    expect(chosen.guess.clockHz).toBe(guess.clockHz);
  });
});
