// `npm run setup -- NAME…`: installs what is not needed to start, but unlocks more. Without a name it lists what there is.
import { openHome } from "./lib/home.mjs";
import { bold, dim, end, line, step } from "./lib/say.mjs";
import { installBondmachine, isBondmachineThere } from "./setup/bondmachine.mjs";
import { fpgaFamilies, installFpga, isFpgaThere } from "./setup/fpga.mjs";
import { installHls4ml, isHls4mlThere } from "./setup/hls4ml.mjs";
import { arePeersThere, installPeers } from "./setup/peers.mjs";
import { installTensorflow, isTensorflowThere } from "./setup/tensorflow.mjs";

const families = Object.fromEntries(
  Object.entries(fpgaFamilies).map(([family, { title, megabytes }]) => [
    family,
    {
      title: `Tools for ${title}`,
      unlocks: `firmware for boards with ${title}; ${megabytes} MB`,
      isThere: (home) => isFpgaThere(home, family),
      install: (home, note) => installFpga(home, family, note),
    },
  ]),
);

const extras = {
  ...families,
  tensorflow: {
    title: "TensorFlow and tf2onnx",
    unlocks: "SavedModels, for the tensorflow engine; 2 GB",
    isThere: isTensorflowThere,
    install: installTensorflow,
  },
  hls4ml: {
    title: "hls4ml, with da4ml, QONNX and conifer",
    unlocks:
      "the firmware of Keras and QONNX models and of trees, for the engines hls4ml and conifer; 2 GB, and g++ on PATH",
    isThere: isHls4mlThere,
    install: installHls4ml,
  },
  bondmachine: {
    title: "BondMachine's basm and bondmachine",
    unlocks: "dense networks as machines of small processors; needs Go, 45 MB",
    isThere: isBondmachineThere,
    install: installBondmachine,
  },
  peers: {
    title: "Other model servers and compilers",
    unlocks:
      "Triton, pytriton, MLServer and KServe, for `npm run bench -- gateway`; da4ml, conifer and nngen, for `compiler`; 2 GB",
    isThere: arePeersThere,
    install: installPeers,
  },
};

main().catch(end);

async function main() {
  const names = process.argv.slice(2);
  if (names.length === 0 || names.some((name) => !Object.hasOwn(extras, name))) return list(names);
  const home = openHome();
  for (const name of names) {
    await step(extras[name].title, (note) => extras[name].install(home, note));
  }
}

function list(names) {
  const home = openHome();
  line("npm run setup -- NAME…, of:");
  for (const [each, { unlocks, isThere }] of Object.entries(extras)) {
    line(`  ${bold(each.padEnd(12))} ${unlocks} ${dim(isThere(home) ? "(there already)" : "")}`);
  }
  process.exit(names.length === 0 ? 0 : 2);
}
