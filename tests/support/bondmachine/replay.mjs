// Goes before a stand-in: answers as a recorded call did, where one of the same tool and action was recorded.
const recorded = RECORDED;
const actions = [
  "-list-inputs",
  "-list-outputs",
  "-enum-processors",
  "-list-bonds",
  "-create-verilog",
];
const asked = process.argv.slice(2);
const action = actions.find((each) => asked.includes(each));
const call = recorded.find(({ args }) =>
  action ? args.includes(action) : !actions.some((each) => args.includes(each)),
);
if (call) {
  const { writeFileSync } = await import("node:fs");
  const machine = asked[asked.indexOf("-bondmachine-file") + 1];
  for (const { path, text, bytes } of call.files) {
    const name = path.replace(/[.]v$/, "");
    const place = asked.includes("-bondmachine-file") && path.endsWith(".json") ? machine : path;
    // The text of generated Verilog was not recorded, nor what a file that kept its bytes holds.
    if (text !== undefined || bytes === 0) writeFileSync(place, text ?? "");
    else if (path.endsWith(".v")) writeFileSync(place, `module ${name}();\nendmodule\n`);
    else if (path === "req.json") writeFileSync(place, "{}\n");
  }
  process.stdout.write(call.stdout);
  process.stderr.write(call.stderr);
  process.exit(call.exitCode);
}
