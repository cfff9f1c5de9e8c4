import { useTranslations } from "next-intl";
import { type Appearance, formatCount, ToneIcon } from "@/components/ui";

/** How many rows are in each state; a press shows those alone, or besides others. */
export function StateCounters<State extends string>({
  states,
  counts,
  appearance,
  chosen,
  onChoose,
}: {
  readonly states: readonly State[];
  readonly counts: readonly { readonly state: State; readonly count: number }[] | undefined;
  readonly appearance: Readonly<Record<State, Appearance>>;
  readonly chosen: readonly string[];
  readonly onChoose: (states: readonly string[]) => void;
}) {
  const t = useTranslations("lists");
  const countOf = (state: State) => counts?.find((each) => each.state === state)?.count ?? 0;
  const shown = states.filter((state) => countOf(state) > 0 || chosen.includes(state));
  const toggle = (state: string) =>
    onChoose(chosen.includes(state) ? chosen.filter((each) => each !== state) : [...chosen, state]);
  return (
    <fieldset className="mb-4 flex min-h-9 flex-wrap gap-2">
      <legend className="sr-only">{t("states")}</legend>
      <Counter
        pressed={chosen.length === 0}
        count={counts?.reduce((sum, { count }) => sum + count, 0)}
        onPress={() => onChoose([])}
      >
        {t("all")}
      </Counter>
      {shown.map((state) => (
        <Counter
          key={state}
          pressed={chosen.includes(state)}
          count={countOf(state)}
          onPress={() => toggle(state)}
        >
          <ToneIcon tone={appearance[state].tone} />
          {appearance[state].label}
        </Counter>
      ))}
    </fieldset>
  );
}

function Counter({
  pressed,
  count,
  onPress,
  children,
}: {
  readonly pressed: boolean;
  readonly count: number | undefined;
  readonly onPress: () => void;
  readonly children: React.ReactNode;
}) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className="inline-flex h-8 items-center gap-2 rounded-control border border-line px-3 text-dense hover:border-line-strong aria-pressed:border-accent aria-pressed:bg-wash"
    >
      <span className="inline-flex items-center gap-1.5">{children}</span>
      <b>{count === undefined ? "–" : formatCount(count)}</b>
    </button>
  );
}
