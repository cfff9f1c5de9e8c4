"""Writes what nngen makes of a model of dense layers as Verilog: model.onnx, a file. 8 bits for values and weights.

nngen reads a fixed batch, and Gemm with its weights transposed behind a Flatten that names its axis.
"""

import sys

import nngen
import onnx

model_file, verilog_file = sys.argv[1:]
model = onnx.load(model_file)
for tensor in [*model.graph.input, *model.graph.output]:
    tensor.type.tensor_type.shape.dim[0].dim_value = 1
name = model.graph.input[0].name
first = next(node for node in model.graph.node if name in node.input)
first.input[list(first.input).index(name)] = "flat"
model.graph.node.insert(0, onnx.helper.make_node("Flatten", [name], ["flat"], axis=1))
onnx.save(model, "fixed.onnx")

byte, word = nngen.int8, nngen.int32
outputs, *_ = nngen.from_onnx(
    "fixed.onnx",
    default_placeholder_dtype=byte,
    default_variable_dtype=byte,
    default_constant_dtype=byte,
    default_operator_dtype=byte,
    default_scale_dtype=word,
    default_bias_dtype=word,
)
# Inputs of four deviations fill the bytes, as ours do.
nngen.quantize(outputs, {name: 127 / 4.0})
verilog = nngen.to_verilog(
    list(outputs.values()), "nngen_core", silent=True, config={"maxi_datawidth": 32}
)
open(verilog_file, "w").write(verilog)
