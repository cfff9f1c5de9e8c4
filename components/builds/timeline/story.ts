import type {
  Build,
  BuildTimeline,
  ClockTry,
  Stage,
  StageName,
  StageState,
  UsualStage,
} from "@/lib/common/contract";

/** A span on the axis of an attempt, in milliseconds since it began. */
export interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** One run of a stage, or a stage that is still to come. */
export interface StoryRow {
  readonly key: string;
  readonly stage: StageName;
  readonly state: StageState;
  /** Where it ran; a running one goes on to the present. Null while it waits, or where it is skipped. */
  readonly ran: TimeSpan | null;
  /** Where it is expected: what is left of a running one, all of one that waits. */
  readonly expected: TimeSpan | null;
  /** What earlier builds took, with the first run of a stage; drawn from where the run began, or is expected to. */
  readonly usual: (UsualStage & { readonly fromMs: number }) | null;
  readonly firstLine: number | null;
  readonly reason: string | null;
  readonly clock: ClockTry | null;
}

/** Runs for the same clock, or for none. */
export interface StoryGroup {
  readonly clock: ClockTry | null;
  readonly rows: readonly StoryRow[];
}

/** One attempt as a picture tells it. */
export interface AttemptStory {
  readonly attempt: number;
  readonly outcome: string | null;
  readonly groups: readonly StoryGroup[];
  /** Stages that this build does not need. */
  readonly skipped: readonly StageName[];
  /** How long it took, or takes by now. */
  readonly tookMs: number;
  /** Its end, or the present, on its axis. */
  readonly presentMs: number;
  readonly isRunning: boolean;
  /** When it is expected to be over, since it began; null once it is, and where nothing tells. */
  readonly expectedEndMs: number | null;
  /** As far as its axis goes. */
  readonly axisMs: number;
}

/** Stages that only firmware goes through. */
const firmwareStages: ReadonlySet<StageName> = new Set(["synthesise", "place", "pack", "simulate"]);

/** The stages that concern a build: one for a CPU has no bitstream to make. */
export function stagesOfKind(
  stages: readonly Stage[],
  boardKind: Build["boardKind"],
): readonly Stage[] {
  return stages.filter(
    ({ name, state }) =>
      boardKind !== "cpu" ||
      !firmwareStages.has(name) ||
      (state !== "waiting" && state !== "skipped"),
  );
}

/**
 * The attempts of a build, oldest first, each with its runs in the order in which they began, by the clocks that were tried.
 *
 * @param nowMs The present, by the clock that the timeline's times are of.
 */
export function storyOf(
  { attempts, usual, expectedMs }: BuildTimeline,
  boardKind: Build["boardKind"],
  nowMs: number,
): readonly AttemptStory[] {
  return attempts.map(({ attempt, startedAt, endedAt, outcome, stages }): AttemptStory => {
    // Stages are told by the worker's clock, which may be behind that of the database.
    const originMs = Math.min(
      Date.parse(startedAt),
      ...stages.flatMap((stage) => runsOf(stage).map((run) => Date.parse(run.startedAt))),
    );
    const isRunning = endedAt === null;
    const presentMs = Math.max(0, (endedAt ? Date.parse(endedAt) : nowMs) - originMs);
    const context = { originMs, presentMs, isRunning, usual: usual.stages };
    const concerned = stagesOfKind(stages, boardKind);
    const rows = concerned
      .filter(({ state }) => state !== "skipped")
      .flatMap((stage) => rowsOf(stage, context));
    const ends = rows.flatMap(({ expected }) => expected?.endMs ?? []);
    const byStages = usual.builds > 0 && ends.length > 0 ? Math.max(...ends) : null;
    const wholeMs = byStages ?? usual.total?.medianMs ?? expectedMs;
    const expectedEndMs = isRunning && wholeMs !== null ? Math.max(wholeMs, presentMs) : null;
    const used = rows.flatMap(({ ran, usual: typical }) => [
      ran?.endMs ?? 0,
      typical ? typical.fromMs + typical.medianMs : 0,
    ]);
    return {
      ...{ attempt, outcome, isRunning, expectedEndMs, presentMs },
      tookMs: Math.max(0, presentMs - (Date.parse(startedAt) - originMs)),
      groups: inGroups(rows),
      skipped: concerned.flatMap(({ state, name }) => (state === "skipped" ? name : [])),
      axisMs: Math.max(1, presentMs, expectedEndMs ?? 0, ...used),
    };
  });
}

interface Context {
  readonly originMs: number;
  readonly presentMs: number;
  readonly isRunning: boolean;
  readonly usual: readonly UsualStage[];
}

function rowsOf(stage: Stage, context: Context): StoryRow[] {
  const { name, state, firstLine = null, reason = null } = stage;
  const typical = context.usual.find((each) => each.name === name);
  const row = { stage: name, firstLine, reason };
  const runs = runsOf(stage);
  if (runs.length === 0) {
    const expected = context.isRunning && typical ? expectedSpan(typical, context.presentMs) : null;
    const usual = typical && expected ? { ...typical, fromMs: expected.startMs } : null;
    return [{ ...row, key: name, state, ran: null, expected, usual, clock: null }];
  }
  return runs.map((run, index): StoryRow => {
    const startMs = Math.max(0, Date.parse(run.startedAt) - context.originMs);
    const isOpen = run.endedAt === null;
    const endMs = isOpen
      ? Math.max(startMs, context.presentMs)
      : Math.max(startMs, Date.parse(run.endedAt ?? "") - context.originMs);
    const usual = typical && index === 0 ? { ...typical, fromMs: startMs } : null;
    const leftMs = isOpen && usual ? Math.max(endMs, startMs + usual.medianMs) : endMs;
    return {
      ...row,
      key: `${name} ${index}`,
      state: run.state,
      ran: { startMs, endMs },
      clock: run.clock ?? null,
      expected: isOpen && context.isRunning && usual ? { startMs: endMs, endMs: leftMs } : null,
      usual,
    };
  });
}

/** Builds of earlier versions tell of one run alone: when it began, and how long it took. */
function runsOf({ runs, startedAt, durationMs, state }: Stage): NonNullable<Stage["runs"]> {
  if (runs) return runs;
  if (!startedAt) return [];
  const endedAt =
    durationMs === null ? null : new Date(Date.parse(startedAt) + durationMs).toISOString();
  return [{ startedAt, endedAt, state }];
}

const expectedSpan = ({ startMs, medianMs }: UsualStage, presentMs: number): TimeSpan => {
  const fromMs = Math.max(presentMs, startMs);
  return { startMs: fromMs, endMs: fromMs + medianMs };
};

/** What began before the first clock; then each clock with its runs; then the rest. */
function inGroups(rows: readonly StoryRow[]): StoryGroup[] {
  const begun = rows.filter(({ ran }) => ran !== null).sort(byStart);
  const coming = rows
    .filter(({ ran }) => ran === null)
    .sort((a, b) => (a.expected?.startMs ?? 0) - (b.expected?.startMs ?? 0));
  const groups: { clock: ClockTry | null; rows: StoryRow[] }[] = [];
  for (const row of begun) {
    const { clock } = row;
    const last = groups.at(-1);
    const same = clock
      ? groups.find((group) => isSameClock(group.clock, clock))
      : last?.clock === null
        ? last
        : undefined;
    if (same) same.rows.push(row);
    else groups.push({ clock, rows: [row] });
  }
  if (coming.length > 0) groups.push({ clock: null, rows: coming });
  return groups;
}

const byStart = (a: StoryRow, b: StoryRow) => (a.ran?.startMs ?? 0) - (b.ran?.startMs ?? 0);

const isSameClock = (a: ClockTry | null, b: ClockTry) =>
  a !== null && a.hz === b.hz && a.achievedMhz === b.achievedMhz;
