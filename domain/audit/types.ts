/** What must hold of an installation at any time; `docs/reliability.md` says each in a sentence. */
export type Invariant = `R${number}`;

/** What a rule found. */
export interface Finding {
  readonly invariant: Invariant;
  /** The rule in words: what holds where nothing is broken. */
  readonly says: string;
  /** Things that were looked at. */
  readonly checked: number;
  /** Those that are not as they should be. */
  readonly broken: number;
  /** The first of them, each with what is wrong with it. */
  readonly faults: readonly string[];
}

/** Faults of a rule that are told by name; all are counted. */
export const toldFaults = 20;

/** Counts what a rule looks at, where a query cannot. */
export class RuleCount {
  private checked = 0;
  private broken = 0;
  private readonly faults: string[] = [];
  private readonly rule: Pick<Finding, "invariant" | "says">;

  constructor(rule: Pick<Finding, "invariant" | "says">) {
    this.rule = rule;
  }

  /** @param fault What is wrong with it; null: nothing is. */
  note(subject: string, fault: string | null): void {
    this.count(1, fault === null ? 0 : 1, `${subject}: ${fault}`);
  }

  /** Notes several at a time; those of them that are broken share a fault. */
  count(checked: number, broken: number, fault: string): void {
    this.checked += checked;
    this.broken += broken;
    if (broken > 0 && this.faults.length < toldFaults) this.faults.push(fault);
  }

  get finding(): Finding {
    return { ...this.rule, checked: this.checked, broken: this.broken, faults: [...this.faults] };
  }
}
