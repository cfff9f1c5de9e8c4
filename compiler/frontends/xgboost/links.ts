/** How an objective turns margins into what is predicted, and how its base score is written as a margin. */
export interface Link {
  readonly tail:
    | "identity"
    | "logistic"
    | "probabilities"
    | "exponential"
    | "sign"
    | "softmax"
    | "best";
  /** A base score's margin. */
  readonly margin: (score: number) => number;
}

const same = (score: number): number => score;
const logit = (score: number): number => -Math.log(1 / score - 1);

const identity: Link = { tail: "identity", margin: same };
const exponential: Link = { tail: "exponential", margin: Math.log };

/** By the objective's name in the file. */
export const links: Readonly<Record<string, Link>> = {
  "reg:squarederror": identity,
  "reg:linear": identity,
  "reg:squaredlogerror": identity,
  "reg:pseudohubererror": identity,
  "reg:absoluteerror": identity,
  "reg:quantileerror": identity,
  "reg:logistic": { tail: "logistic", margin: logit },
  "reg:gamma": exponential,
  "reg:tweedie": exponential,
  "count:poisson": exponential,
  "survival:cox": exponential,
  "survival:aft": exponential,
  "binary:logistic": { tail: "probabilities", margin: logit },
  "binary:logitraw": identity,
  "binary:hinge": { tail: "sign", margin: same },
  "multi:softprob": { tail: "softmax", margin: same },
  "multi:softmax": { tail: "best", margin: same },
  "rank:pairwise": identity,
  "rank:ndcg": identity,
  "rank:map": identity,
};
