import { describe, expect, it } from "vitest";
import { getBoardModel } from "@/boards";
import { planRequest } from "@/tests/support/compiler/plan-request";
import type { ParsedModel } from "../engine";
import { tensorflowEngine as engine } from ".";

const bytes = (text: string) => new TextEncoder().encode(text);
const request = planRequest("iris-mlp", "cpu");

function savedModel(graph: string): ParsedModel {
  return {
    format: "savedmodel",
    bytes: bytes("archive"),
    digest: request.sha256(bytes("archive")),
    graph: null,
    savedModel: {
      signature: {
        name: "serving_default",
        inputs: [{ name: "features", datatype: "FP32", shape: [-1, 4] }],
        outputs: [{ name: "scores", datatype: "FP32", shape: [-1, 3] }],
      },
      variables: [],
      files: new Map([["saved_model.pb", bytes(graph)]]),
    },
  };
}

const planOf = (graph: string, tf2onnx = "1") =>
  engine.plan({ ...request, model: savedModel(graph), toolVersions: { tf2onnx } });

describe("planning a SavedModel for the CPU", () => {
  it("lets one tool convert it, from files that the plan holds", () => {
    const { files, steps, products, conversion, io, maxBatchSize } = planOf("graph");
    expect(steps).toHaveLength(1);
    const [step] = steps;
    const given = new Set([...files.keys(), conversion?.rows]);
    expect(step?.reads.filter((path) => !given.has(path))).toEqual([]);
    expect(step?.produces).toEqual([conversion?.answers, conversion?.model]);
    expect(products).toEqual([{ role: "model", path: conversion?.model }]);
    expect(io.inputs).toMatchObject([{ name: "features", size: 4 }]);
    expect(io.outputs).toMatchObject([{ name: "scores", labels: request.card?.classes }]);
    expect(maxBatchSize).toBe(64);
  });

  it("names its artifact after the model and the converter's version", () => {
    const { digest } = planOf("graph");
    expect(planOf("graph").digest).toBe(digest);
    expect(planOf("another graph").digest).not.toBe(digest);
    expect(planOf("graph", "2").digest).not.toBe(digest);
  });

  it("needs a tool for SavedModels alone", () => {
    expect(engine.tools("savedmodel", getBoardModel("cpu"))).toEqual(["tf2onnx"]);
    expect(engine.tools("keras", getBoardModel("cpu"))).toEqual([]);
  });
});
