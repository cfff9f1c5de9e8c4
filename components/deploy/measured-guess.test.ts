import { expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { forecast } from "@/compiler/forecast";
import { denseOutline } from "@/tests/support/compiler/dense-outline";
import { measuredGuess } from "./measured-guess";

const guess = forecast({
  outline: denseOutline([64, 32, 32, 10]),
  board: getBoardModel("icebreaker"),
  architecture: "array",
});
if (!guess.fits) throw new Error("the sample net fits");

it("tells what equal builds took and reached, not what formulas make of them", () => {
  const told = measuredGuess(guess, {
    builds: 2,
    seconds: { median: 84.2, low: 83.1, high: 85.4 },
    clock: { hz: 42e6, achievedMhz: 45.1 },
    cycles: 470,
    reusable: null,
  });
  expect(told.buildSeconds).toMatchObject({ expected: 84, low: 83, high: 86 });
  expect(told.clockHz).toBe(42e6);
  expect(told.cycles).toMatchObject({ expected: 470, low: 470, high: 470 });
  expect(told.microseconds).toBeCloseTo(470 / 42, 6);
  expect(told.lut).toEqual(guess.lut);
});

it("keeps to the guess where no equal build has ended", () => {
  const none = { builds: 0, seconds: null, clock: null, cycles: null, reusable: null };
  expect(measuredGuess(guess, none)).toEqual(guess);
  expect(measuredGuess(guess, null)).toEqual(guess);
});
