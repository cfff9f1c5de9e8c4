import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import {
  chooseSandbox,
  createToolchain,
  measureProduct,
  mendSandbox,
  readProduct,
  runTool,
  type Sandbox,
  type Tool,
  type Toolchain,
  type ToolRun,
} from "@/workers/builds/tools";
import { bundleFolder, toolsFolder } from "./folders";

let sandbox: Sandbox;
let toolchain: Toolchain;
/** The fake tool under a path of its own, asleep for times of its own: other suites run it, and sleep, at the same time. */
const asleep = `sleep ${process.pid}30`;
const script = join(mkdtempSync(join(tmpdir(), "fake-tool-")), "fake-tool.sh");
writeFileSync(
  script,
  readFileSync("tests/workers/fake-tool.sh", "utf8").replaceAll("sleep 30", asleep),
);
/** Processes of the fake tool that sleep for so long. */
const sleepersOf = (seconds: "300" | "301" | "302") =>
  processesOf(asleep.replace(" ", "\u0000") + seconds.slice(-1));
const fakeTool: Tool = {
  command: "fake",
  version: "1",
  needs: [script],
  argv: ({ args }) => ["/bin/sh", script, ...args],
};
const makeWork = () => {
  const work = join(mkdtempSync(join(tmpdir(), "tools-")), "1");
  mkdirSync(work);
  return work;
};

async function run(options: Partial<ToolRun> = {}) {
  const work = options.work ?? makeWork();
  const output = { stdout: "", stderr: "", bytes: 0 };
  const result = await runTool({
    tool: fakeTool,
    sandbox,
    args: ["good"],
    reads: [],
    produces: ["out.bin"],
    timeoutS: 60,
    graceMs: 300,
    signal: new AbortController().signal,
    ...options,
    work,
    onOutput: (stream, bytes) => {
      output.bytes += bytes.length;
      if (output[stream].length < 100_000) output[stream] += bytes.toString();
    },
  }).then(
    () => null,
    (error: unknown) => error,
  );
  return { work, error: result, ...output };
}
const fake = (way: string, options: Partial<ToolRun> = {}) => run({ args: [way], ...options });

/** Processes whose command line shows the script or the work folder. */
const processesOf = (needle: string) =>
  readdirSync("/proc").filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        Number(pid) !== process.pid &&
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(needle)
      );
    } catch {
      return false;
    }
  });

beforeAll(async () => {
  vi.stubEnv("BOARDWALK_BUNDLES", await bundleFolder());
  sandbox = await chooseSandbox("auto");
  toolchain = createToolchain({ native: new Set(), toolsDir: toolsFolder });
});

describe("runTool with a tool that misbehaves", () => {
  it("takes what a good one leaves", async () => {
    const { error, work, stdout } = await fake("good");
    expect(error).toBeNull();
    expect(stdout).toBe("Info: fine\n");
    expect(readProduct(work, "out.bin").toString()).toBe("result\n");
    expect((await measureProduct(work, "out.bin")).sizeBytes).toBe(7);
  });

  it.each([
    ["hang", { timeoutS: 0.5 }, "TOOL_TIMED_OUT"],
    ["hang", { idleS: 0.5 }, "TOOL_TIMED_OUT"],
    ["deaf", { timeoutS: 0.5 }, "TOOL_TIMED_OUT"],
    ["fail", {}, "TOOL_FAILED"],
    ["signal", {}, "TOOL_SIGNAL"],
  ] as const)("ends %s %o as %s", async (way, options, reason) => {
    const { error } = await fake(way, options);
    expect(error).toMatchObject({ reason });
    expect(processesOf(script)).toEqual([]);
  });

  it.each(["idleS", "timeoutS"])("keeps what one said that is ended by its %s", async (limit) => {
    // Until the machine lets it say something in time.
    for (let seconds = 1; ; seconds *= 3) {
      const { error, stdout } = await fake("begin", { [limit]: seconds });
      expect(error).toMatchObject({ reason: "TOOL_TIMED_OUT" });
      if (stdout === "" && seconds < 60) continue;
      expect(stdout).toBe("Info: the first step is done\nhalf a line");
      return;
    }
  });

  it.each([
    ["memory", { memoryBytes: 100 * 2 ** 20 }, "TOOL_MEMORY", "100 MiB"],
    ["cpu", { cpuS: 0.5 }, "TOOL_CPU", "0.5 s"],
    ["disk", { diskBytes: 20 * 2 ** 20 }, "NO_SPACE", "20 MiB"],
    ["files", { files: 500 }, "NO_SPACE", "500 files"],
  ] as const)("ends one that uses too much %s", async (way, limits, reason, words) => {
    const { error } = await fake(way, { limits });
    expect(error).toMatchObject({ reason, message: expect.stringContaining(words) });
    expect(processesOf(script)).toEqual([]);
  });

  it("bounds its open files, core dumps and files, and goes behind what serves", async () => {
    const { error, stdout } = await fake("bounds");
    expect(error).toBeNull();
    const [openFiles, core, blocks, nice] = stdout.trim().split("\n").map(Number);
    // A block of a shell's is 512 bytes, or 1,024.
    expect([openFiles, core]).toEqual([1024, 0]);
    expect([2 ** 23, 2 ** 24]).toContain(blocks);
    expect(nice).toBeGreaterThanOrEqual(10);
  });

  it("drains a flood", async () => {
    const { error, bytes } = await fake("flood");
    expect(error).toBeNull();
    expect(bytes).toBe(30_000_000);
  });

  it("leaves no daemon of it", async () => {
    const { error } = await fake("fork");
    expect(error).toBeNull();
    expect(sleepersOf("300")).toEqual([]);
  });

  it("stops it when the build is stopped, and gives the reason on", async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error("cancelled")), 200);
    const { error } = await fake("deaf", { signal: stop.signal });
    expect(error).toMatchObject({ message: "cancelled" });
    expect(processesOf(script)).toEqual([]);
  });

  it("does not take an old file for a product", async () => {
    const work = makeWork();
    writeFileSync(join(work, "out.bin"), "stale");
    expect((await fake("lie", { work })).error).toBeNull();
    expect(() => readProduct(work, "out.bin")).toThrow(
      expect.objectContaining({ reason: "OUTPUT_MISSING" }),
    );
  });

  it.each(["link", "hardlink", "pipe", "folder", "huge"])(
    "refuses a %s as a product",
    async (way) => {
      const { work } = await fake(way);
      expect(() => readProduct(work, "out.bin")).toThrow(
        expect.objectContaining({ reason: "OUTPUT_INVALID" }),
      );
    },
  );

  it.each(["../out.bin", "/etc/passwd", "a/b", "", "."])("refuses the name %j", (name) => {
    expect(() => readProduct("/tmp", name)).toThrow(
      expect.objectContaining({ reason: "OUTPUT_INVALID" }),
    );
  });

  it.each(["setpriv", "none"] as const)("keeps its promises with sandbox %s", async (kind) => {
    const own = await chooseSandbox(kind);
    const { error, stdout } = await fake("good", { sandbox: own });
    expect([error, stdout]).toEqual([null, "Info: fine\n"]);
    expect((await fake("signal", { sandbox: own })).error).toMatchObject({ reason: "TOOL_SIGNAL" });
    const late = await fake("deaf", { sandbox: own, timeoutS: 0.5 });
    expect(late.error).toMatchObject({ reason: "TOOL_TIMED_OUT" });
    await fake("fork", { sandbox: own });
    // No environment, session, group, parent or output of ours: after its own end, and after a cancel.
    expect((await fake("escapist", { sandbox: own })).error).toBeNull();
    expect(sleepersOf("301")).toEqual([]);
    const stop = new AbortController();
    const cancelled = run({ sandbox: own, args: ["escapist", "stay"], signal: stop.signal });
    await vi.waitFor(() => expect(sleepersOf("302")).not.toEqual([]), 20_000);
    stop.abort(new Error("cancelled"));
    expect((await cancelled).error).toMatchObject({ message: "cancelled" });
    expect(sleepersOf("301")).toEqual([]);
    expect(sleepersOf("302")).toEqual([]);
    expect(sleepersOf("300")).toEqual([]);
    expect(processesOf(script)).toEqual([]);
  });

  it("tells what mends a lesser one where the whole one works, and nothing of that", async (context) => {
    if (sandbox.kind !== "bubblewrap") context.skip("no bubblewrap on this machine");
    expect(await mendSandbox(sandbox, "auto")).toBeNull();
    expect(await mendSandbox(await chooseSandbox("setpriv"), "setpriv")).toBe(
      "unset SANDBOX, then start the build worker again",
    );
  });

  it("chooses no sandbox only where somebody asks for none", async () => {
    const { PATH } = process.env;
    vi.stubEnv("PATH", "/nonexistent");
    try {
      vi.resetModules();
      const { chooseSandbox, mendSandbox } = await import("@/workers/builds/tools");
      await expect(chooseSandbox("auto")).rejects.toMatchObject({
        reason: "SANDBOX_UNAVAILABLE",
        hint: expect.stringContaining("SANDBOX=none"),
      });
      const none = await chooseSandbox("none");
      expect(none.kind).toBe("none");
      expect(await mendSandbox(none, "none")).toBe(
        "apt-get install bubblewrap, then unset SANDBOX, then start the build worker again",
      );
    } finally {
      vi.stubEnv("PATH", PATH);
    }
  });

  it("lets it write nowhere else, see nothing of ours, and reach no network", async (context) => {
    if (sandbox.kind !== "bubblewrap") context.skip("no bubblewrap on this machine");
    const { work, error } = await fake("escape");
    expect(error).toBeNull();
    expect(existsSync(join(work, "../escaped"))).toBe(false);
    expect(existsSync("/usr/escaped")).toBe(false);

    const { stdout } = await fake("look");
    expect(stdout).not.toMatch(/root:|alias/);
    expect(stdout).not.toMatch(/DATABASE_URL|VITEST/);

    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const connected = vi.fn();
    server.on("connection", connected);
    const address = server.address();
    const port = typeof address === "object" && address ? String(address.port) : "0";
    const bash: Tool = {
      ...fakeTool,
      argv: () => ["/bin/bash", "-c", `exec 3<>/dev/tcp/127.0.0.1/${port}`],
    };
    expect((await run({ tool: bash })).error).toMatchObject({ reason: "TOOL_FAILED" });
    expect(connected).not.toHaveBeenCalled();
    server.close();
  });
});

describe("the WebAssembly tools", () => {
  it("tell their versions", async () => {
    const versions = await toolchain.versions(["yosys", "icepack"]);
    expect(Object.keys(versions)).toEqual(["yosys", "icepack"]);
    expect(versions["yosys"]).toMatch(/^@yowasp\/yosys \d+\.\d+/);
  });

  it("are asked for their version again when they are other files", async () => {
    const folder = mkdtempSync(join(tmpdir(), "native-"));
    const program = join(folder, "nextpnr-ice40");
    const install = (version: string) => {
      writeFileSync(`${program}.new`, `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
      renameSync(`${program}.new`, program);
    };
    install("pnr 1");
    const { PATH } = process.env;
    vi.stubEnv("PATH", `${folder}:${PATH}`);
    vi.resetModules();
    const { createToolchain } = await import("@/workers/builds/tools");
    const native = createToolchain({ native: new Set(["ice40"]), toolsDir: toolsFolder });
    const versionOf = async () => (await native.versions(["nextpnr-ice40"]))["nextpnr-ice40"];
    const first = await versionOf();
    expect(first).toMatch(/^pnr 1 /);
    expect(await versionOf()).toBe(first);
    install("pnr 2");
    expect(await versionOf()).toMatch(/^pnr 2 /);
    rmSync(program);
    // Another one further on PATH, or none: never the one that is gone.
    expect(await versionOf().catch(({ reason }) => reason)).not.toMatch(/^pnr/);
    vi.stubEnv("PATH", PATH);
  });

  it("say what to do when they are not installed", async () => {
    const none = createToolchain({ native: new Set(), toolsDir: "/nonexistent" });
    await expect(none.getTool("yosys")).rejects.toMatchObject({
      reason: "TOOL_MISSING",
      hint: expect.stringContaining("@yowasp/yosys"),
    });
    await expect(none.versions(["tf2onnx"])).rejects.toMatchObject({
      reason: "TOOL_MISSING",
      hint: "npm run setup -- tensorflow",
    });
    await expect(toolchain.getTool("rm")).rejects.toMatchObject({ reason: "TOOL_MISSING" });
  });

  it("make a bitstream in the sandbox, output as it comes", async () => {
    const work = makeWork();
    writeFileSync(
      join(work, "blink.v"),
      "module top(input clk, output led); reg [21:0] n = 0; always @(posedge clk) n <= n + 1; assign led = n[21]; endmodule\n",
    );
    writeFileSync(join(work, "top.pcf"), "set_io clk 35\nset_io led 11\n");
    const step = async (command: string, args: string[], reads: string[], produces: string[]) => {
      const tool = await toolchain.getTool(command);
      const result = await run({ tool, args, reads, produces, work, timeoutS: 300 });
      expect(result.error, result.stderr.slice(-2000)).toBeNull();
      return result;
    };
    const { stdout } = await step(
      "yosys",
      ["-p", "read_verilog blink.v; synth_ice40 -top top -json top.json"],
      ["blink.v"],
      ["top.json"],
    );
    expect(stdout).toContain("Executing SYNTH_ICE40 pass");
    const place = await step(
      "nextpnr-ice40",
      "--up5k --package sg48 --json top.json --pcf top.pcf --asc top.asc --freq 12 --report report.json".split(
        " ",
      ),
      ["top.json", "top.pcf"],
      ["top.asc", "report.json"],
    );
    expect(place.stderr).toContain("Max frequency for clock");
    await step("icepack", ["top.asc", "top.bin"], ["top.asc"], ["top.bin"]);
    expect(readProduct(work, "top.bin").length).toBe(104_090);
  });

  it("give their own error and status on", async () => {
    const tool = await toolchain.getTool("yosys");
    const { error, stdout, stderr } = await run({
      tool,
      args: ["-p", "read_verilog nothing.v"],
      produces: [],
    });
    expect(error).toMatchObject({ reason: "TOOL_FAILED" });
    expect(stdout + stderr).toContain("ERROR");
  });
});
