import { fail } from "@/lib/common/errors";
import type { Graph } from "../../graph/graph";
import { openKerasArchive } from "./archive";
import { buildGraph } from "./build-graph";
import { fieldsOf, type Json } from "./fields";
import { withHdf5 } from "./hdf5";
import { parseJson } from "./json";
import { readTopology } from "./topology";
import { archiveWeights, legacyWeights, type ModelWeights } from "./weights";

/**
 * Reads a `.keras` archive into a graph of ONNX operators. Nothing of it is run or written; `loadHdf5()` comes first.
 *
 * @throws {AppError} `ARCHIVE_…`, `MODEL_…` or `OPERATOR_UNSUPPORTED`, naming the layer at fault.
 */
export function parseKeras(bytes: Uint8Array): Graph {
  const entries = openKerasArchive(bytes);
  const config = entries["config.json"];
  if (!config) {
    throw fail("MODEL_INVALID", "The archive has no `config.json`, so it is no Keras model.", {
      hint: "Save the whole model with model.save().",
    });
  }
  const metadata = entries["metadata.json"];
  const version = fieldsOf("metadata.json", metadata && parseJson(metadata, "metadata.json")).raw(
    "keras_version",
  );
  const model = parseJson(config, "config.json");
  const weights = entries["model.weights.h5"];
  if (!weights) {
    throw fail("MODEL_INVALID", "The archive has no weights file `model.weights.h5`.", {
      hint: "Save the whole model with model.save().",
    });
  }
  return withHdf5(weights, (file) => graphOf(model, archiveWeights(file), version));
}

/** Reads a legacy `.h5` file of Keras, as `parseKeras` does. */
export function parseKerasH5(bytes: Uint8Array): Graph {
  return withHdf5(bytes, (file) => {
    const text = file.text("", "model_config");
    if (text === null) {
      throw fail(
        "MODEL_INVALID",
        "The HDF5 file has no `model_config`: it holds weights, but no model.",
        {
          hint: "Save the whole model with model.save(), not only its weights.",
        },
      );
    }
    const encoded = new TextEncoder().encode(text);
    const model = parseJson(encoded, "model_config");
    return graphOf(
      model,
      legacyWeights(file),
      file.text("", "keras_version") ?? file.text("model_weights", "keras_version"),
    );
  });
}

function graphOf(model: Json, weights: ModelWeights, version: unknown): Graph {
  const fields = fieldsOf("The model", model);
  const className = fields.text("class_name");
  return buildGraph(readTopology(className, fields.raw("config")), weights, majorOf(version));
}

/** Files without a version are older than Keras 3. */
function majorOf(version: unknown): number {
  const major = typeof version === "string" ? Number.parseInt(version, 10) : Number.NaN;
  return Number.isNaN(major) ? 2 : major;
}
