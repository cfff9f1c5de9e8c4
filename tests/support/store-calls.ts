import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import type { StoreCallPlace } from "@/lib/server/process";
import { root } from "@/scripts/lib/home.mjs";

/** A call of a store in the sources of the product. */
export interface StoreCall {
  /** `<file>:<function>`, with a number from the second call of the function on. */
  readonly name: string;
  readonly file: string;
  /** Lines on which the call itself stands, without what it is given. */
  readonly from: number;
  readonly to: number;
  /** It changes nothing, so that being killed after it is being killed before what follows. */
  readonly isRead: boolean;
}

const folders = ["app", "domain", "workers", "gateway", "board-server", "portal", "lib"];

/** Functions that call a store for whoever calls them, and the files in which they do. */
const carriers: Readonly<Record<string, string>> = {
  withTransaction: "lib/server/db/transaction.ts",
  withIdempotency: "domain/idempotency/commands.ts",
  once: "app/api/v1/_shared/once.ts",
  keepObject: "lib/server/storage/keep-object.ts",
  verifyObject: "lib/server/storage/verify.ts",
};
const carrying = new Set([...Object.values(carriers), "lib/server/storage/settle-conflict.ts"]);
/** Files that speak to a store in its own words: what is above calls them. */
const stores =
  /^lib\/server\/(storage\/(file|s3)-store|db\/(client|listen|migrate|copy-rows))\.ts$/;
/** What calls clients that have no points: see `findStoreClients`. */
const others =
  /^(domain\/backups\/|workers\/builds\/bond-server\/|workers\/fetch\/open-store\.ts$|board-server\/devices\/)/;

const objectMethods = new Set(["put", "get", "head", "delete", "list", "ensureBucket"]);
const methodsOf: Readonly<Record<string, ReadonlySet<string>>> = {
  store: objectMethods,
  storage: objectMethods,
  producer: new Set(["add", "isLive"]),
  portal: new Set(["enrol", "poll"]),
  source: new Set(["openFile"]),
  journal: new Set(["update"]),
  client: new Set(["connect", "query"]),
};
const raw = new Set(["$queryRaw", "$executeRaw", "$queryRawUnsafe", "$executeRawUnsafe"]);
const modelMethods =
  /^(find(Unique|First|Many)(OrThrow)?|create(Many)?|update(Many)?|upsert|delete(Many)?|count|aggregate|groupBy)$/;
const readMethods =
  /^(find\w+|count|aggregate|groupBy|get|head|list|isLive|openFile|verifyObject)$/;

/** Every call of a store, and what asks Postgres in a way that is neither a transaction's nor such a call. */
export function findStoreCalls(): { calls: StoreCall[]; strays: string[] } {
  const calls: StoreCall[] = [];
  const strays: string[] = [];
  for (const { file, text } of sources()) {
    if (stores.test(file) || others.test(file)) continue;
    const found = callsOf(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
    calls.push(...found.calls);
    strays.push(...found.strays);
  }
  return { calls, strays };
}

const clients = /\bnew (PrismaClient|pg\.Client|Redis|S3Store|FileStore|Portal)\(/g;

/** Where clients of stores are made: `<file>: <class>`, by whether the file gives calls kill points. */
export function findStoreClients(): Record<"killable calls" | "no kill points", string[]> {
  const found = sources().flatMap(({ file, text }) =>
    [...text.matchAll(clients)].map(([, client]) => ({
      client: `${file}: ${client}`,
      isKillable: text.includes("killableCalls("),
    })),
  );
  const those = (isKillable: boolean) =>
    found
      .filter((each) => each.isKillable === isKillable)
      .map(({ client }) => client)
      .sort();
  return { "killable calls": those(true), "no kill points": those(false) };
}

/** The sources of the product, in order of their names. */
function sources(): { file: string; text: string }[] {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/\.(test|bench)\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  return files.sort().map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
}

/** Where the calls stand, as processes look them up. */
export function placesOf(calls: readonly StoreCall[]): Record<string, StoreCallPlace[]> {
  const places: Record<string, StoreCallPlace[]> = {};
  for (const { file, from, to, name } of calls) (places[file] ??= []).push([from, to, name]);
  // Of calls within calls, the innermost is found first.
  for (const list of Object.values(places)) list.sort((a, b) => a[1] - a[0] - (b[1] - b[0]));
  return places;
}

function callsOf(source: ts.SourceFile): { calls: StoreCall[]; strays: string[] } {
  const calls: StoreCall[] = [];
  const strays: string[] = [];
  const counts = new Map<string, number>();
  const lineOf = (at: number) => source.getLineAndCharacterOfPosition(at).line + 1;
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    const callee = calleeOf(node);
    if (!callee) return;
    const kind = kindOf(callee, source.fileName);
    if (kind === "stray") strays.push(`${source.fileName}:${lineOf(node.getStart())}`);
    if (kind !== "call") return;
    const plain = `${source.fileName.replace(/\.tsx?$/, "")}:${functionOf(node)}`;
    const count = (counts.get(plain) ?? 0) + 1;
    counts.set(plain, count);
    const whole = wholeOf(node);
    calls.push({
      name: count === 1 ? plain : `${plain}.${count}`,
      file: source.fileName,
      from: lineOf(whole.getStart()),
      to: lineOf(argumentsOf(node).pos),
      isRead: isRead(node, callee),
    });
  };
  visit(source);
  return { calls, strays };
}

/** A call with what waits for it: of a call that is given on, the stack of what comes after it names only who was given it. */
function wholeOf(node: ts.Node): ts.Node {
  const { parent } = node;
  if (ts.isAwaitExpression(parent)) return parent;
  const isGiven = ts.isArrowFunction(parent) && ts.isCallExpression(parent.parent);
  return isGiven ? wholeOf(parent.parent) : node;
}

/** What follows a callee, and types that it is given. */
function argumentsOf(node: ts.Node): { readonly pos: number } {
  if (ts.isTaggedTemplateExpression(node)) return node.template;
  return ts.isCallExpression(node) ? node.arguments : node;
}

function calleeOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isCallExpression(node)) return node.expression;
  return ts.isTaggedTemplateExpression(node) ? node.tag : undefined;
}

function kindOf(callee: ts.Expression, file: string): "call" | "stray" | null {
  if (ts.isIdentifier(callee)) {
    const isOurs = callee.text !== "once" || file.startsWith("app/");
    return callee.text in carriers && !carrying.has(file) && isOurs ? "call" : null;
  }
  if (!ts.isPropertyAccessExpression(callee)) return null;
  const method = callee.name.text;
  const holder = callee.expression;
  if (raw.has(method)) return askedBy(holder);
  if (modelMethods.test(method) && ts.isPropertyAccessExpression(holder)) {
    if (askedBy(holder.expression) === "call") return "call";
  }
  const noun = nounOf(holder);
  return methodsOf[noun]?.has(method) && !carrying.has(file) ? "call" : null;
}

/** Who asks Postgres: the client itself, or a transaction, whose statements are one call. */
function askedBy(holder: ts.Expression): "call" | "stray" | null {
  if (ts.isCallExpression(holder)) return nounOf(holder) === "database" ? "call" : "stray";
  if (!ts.isIdentifier(holder)) return "stray";
  if (holder.text === "tx" && !/Pick</.test(declarationOf(holder) ?? "")) return null;
  const declared = declarationOf(holder);
  if (declared === undefined) return "stray";
  // A part of a transaction may also be asked of the client.
  if (/database\(\)|Pick<Tx|: Db\b/.test(declared)) return "call";
  return /: Tx\b/.test(declared) ? null : "stray";
}

/** The text of the variable or parameter that an identifier names. */
function declarationOf(name: ts.Identifier): string | undefined {
  for (let scope: ts.Node = name.parent; scope; scope = scope.parent) {
    const found = ts.isFunctionLike(scope)
      ? scope.parameters
      : ts.isBlock(scope)
        ? scope.statements.flatMap((statement) =>
            ts.isVariableStatement(statement) ? [...statement.declarationList.declarations] : [],
          )
        : [];
    const declaration = found.find((each) => each.name.getText() === name.text);
    if (declaration) return declaration.getText();
  }
  return undefined;
}

/** The last word of what a method is called of: `store` of `this.store`, `objectStore()` counts as it. */
function nounOf(holder: ts.Expression): string {
  if (ts.isCallExpression(holder)) {
    const name = holder.expression.getText();
    return name === "objectStore" ? "store" : name;
  }
  return ts.isPropertyAccessExpression(holder) ? holder.name.text : holder.getText();
}

function isRead(node: ts.Node, callee: ts.Expression): boolean {
  const method = ts.isPropertyAccessExpression(callee) ? callee.name.text : callee.getText();
  if (readMethods.test(method)) return true;
  if (!ts.isTaggedTemplateExpression(node) || method !== "$queryRaw") return false;
  return !/\b(INSERT|UPDATE|DELETE|pg_try_advisory|pg_advisory)\b/.test(node.template.getText());
}

/** The named functions around a call, outermost first. */
function functionOf(node: ts.Node): string {
  const names: string[] = [];
  for (let around: ts.Node | undefined = node.parent; around; around = around.parent) {
    const at: ts.Node = around;
    if (
      ts.isFunctionDeclaration(at) ||
      ts.isMethodDeclaration(at) ||
      ts.isClassDeclaration(at) ||
      ((ts.isVariableDeclaration(at) || ts.isPropertyAssignment(at)) && holdsFunction(at))
    )
      if (at.name) names.unshift(at.name.getText());
  }
  return names.join(".");
}

const holdsFunction = ({ initializer }: ts.VariableDeclaration | ts.PropertyAssignment): boolean =>
  initializer !== undefined &&
  (ts.isArrowFunction(initializer) ||
    ts.isFunctionExpression(initializer) ||
    ts.isCallExpression(initializer) ||
    ts.isObjectLiteralExpression(initializer));
