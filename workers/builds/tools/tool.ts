/** Arguments of a tool with the files of the work folder that it reads and makes. */
export interface ToolCall {
  readonly args: readonly string[];
  readonly reads: readonly string[];
  readonly produces: readonly string[];
}

/** A tool that was found: what it is, and how a call of it becomes a program with arguments. */
export interface Tool {
  readonly command: string;
  readonly version: string;
  /** Files and folders that the sandbox must show. */
  readonly needs: readonly string[];
  /** Variables it needs besides those of every tool. */
  readonly env?: Readonly<Record<string, string>>;
  /** @throws {RangeError} of a build server, which is asked and not run. */
  argv(call: ToolCall): [string, ...string[]];
}
