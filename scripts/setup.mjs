// `npm run setup -- NAME`: installs something that is not needed to start, but unlocks more. Without a name it lists what
// there is.
import { openHome } from "./lib/home.mjs";
import { bold, dim, end, line, step } from "./lib/say.mjs";
import { installTensorflow, isTensorflowThere } from "./setup/tensorflow.mjs";

const extras = {
  tensorflow: {
    title: "TensorFlow and tf2onnx",
    unlocks: "SavedModels, for the tensorflow engine; 2 GB",
    isThere: isTensorflowThere,
    install: installTensorflow,
  },
};
const [name] = process.argv.slice(2);

main().catch(end);

async function main() {
  const extra = Object.hasOwn(extras, name ?? "") ? extras[name] : undefined;
  if (!extra) return list();
  const home = openHome();
  await step(extra.title, (note) => extra.install(home, note));
}

function list() {
  const home = openHome();
  line("npm run setup -- NAME, one of:");
  for (const [each, { unlocks, isThere }] of Object.entries(extras)) {
    line(`  ${bold(each.padEnd(12))} ${unlocks} ${dim(isThere(home) ? "(there already)" : "")}`);
  }
  process.exit(name === undefined ? 0 : 2);
}
