"""Draws Keras models by seed, saves each, and says what Keras itself answers to its rows.

Usage: keras_models.py FOLDER FIRST COUNT
"""

import json
import os
import random
import sys

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
os.environ["KERAS_BACKEND"] = "tensorflow"
import numpy as np
import keras
from keras import layers

folder, first, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
rows = 8
functions = ["relu", "tanh", "sigmoid", "elu", "selu", "softplus", "softsign", "gelu", "silu", "linear", "leaky_relu", "hard_sigmoid"]
scales = {"trained": 1, "zero": 0, "huge": 1e6, "tiny": 1e-7, "vanishing": 1e-30, "denormal": 2.0**-140, "equal": None}


def draw_layer(draw, shape):
    """A layer that takes values of this shape."""
    function = draw.choice(functions)
    any_shape = [
        lambda: layers.Activation(function),
        lambda: layers.BatchNormalization(),
        lambda: layers.LayerNormalization(),
        lambda: layers.Dropout(0.3),
        lambda: layers.LeakyReLU(negative_slope=0.2),
        lambda: layers.ReLU(max_value=6),
        lambda: layers.PReLU(),
    ]
    if len(shape) == 1:
        return draw.choice([lambda: layers.Dense(draw.randint(1, 12), activation=function, use_bias=draw.random() < 0.8)] * 3 + any_shape)()
    if len(shape) == 2:
        own = [
            lambda: layers.Conv1D(draw.randint(1, 5), draw.randint(1, 3), padding=draw.choice(["same", "causal"]), activation=function),
            lambda: layers.LSTM(draw.randint(1, 4), return_sequences=True),
            lambda: layers.GRU(draw.randint(1, 4), return_sequences=True),
            lambda: layers.MaxPooling1D(2, padding="same"),
        ]
    else:
        own = [
            lambda: layers.Conv2D(draw.randint(1, 5), draw.choice([1, 2, 3]), strides=draw.choice([1, 2]), padding="same", activation=function),
            lambda: layers.DepthwiseConv2D(3, padding="same"),
            lambda: layers.SeparableConv2D(draw.randint(1, 4), 3, padding="same"),
            lambda: layers.MaxPooling2D(2, padding="same"),
            lambda: layers.AveragePooling2D(2, padding="same"),
            lambda: layers.ZeroPadding2D(1),
        ]
    return draw.choice(own * 2 + any_shape)()


def draw_weights(draw, noise, kind, weight):
    name = weight.path.rsplit("/", 1)[-1]
    if "variance" in name:
        return noise.choice([1e-12, 0.5, 1.0, 2.0, 1e6], weight.shape)
    fan = max(1, int(np.prod(weight.shape[:-1])))
    scale = scales[kind]
    return np.full(weight.shape, 0.5 / fan) if scale is None else scale * noise.normal(size=weight.shape) / np.sqrt(fan)


def answers_of(model, x):
    return [None if not np.isfinite(each) else float(each) for each in model(x, training=False).numpy().reshape(-1)]


def in_doubles(model):
    """The same model with all that it computes in 64 bits."""
    own = keras.models.model_from_json(model.to_json().replace("float32", "float64"))
    own.set_weights([weight.astype("float64") for weight in model.get_weights()])
    return own


for seed in range(first, first + count):
    draw, noise = random.Random(seed), np.random.default_rng(seed)
    kind = "trained" if draw.random() < 0.6 else draw.choice(list(scales))
    shape = draw.choice([(draw.randint(1, 12),)] * 3 + [(draw.randint(3, 6), draw.randint(1, 4))] + [(draw.randint(3, 7), draw.randint(3, 7), draw.randint(1, 3))] * 2)
    inputs = keras.Input(shape)
    value = inputs
    for _ in range(draw.choice([1, 2, 3, 4, 20]) if len(shape) == 1 else draw.randint(1, 4)):
        value = draw_layer(draw, value.shape[1:])(value)
    if len(value.shape) > 2:
        value = draw.choice([layers.Flatten, layers.GlobalAveragePooling1D if len(value.shape) == 3 else layers.GlobalAveragePooling2D])()(value)
    value = layers.Dense(draw.choice([1, 2, 5]), activation=draw.choice(["linear", "softmax", "sigmoid"]))(value)
    model = keras.Model(inputs, value)
    model.set_weights([draw_weights(draw, noise, kind, weight).astype("float32") for weight in model.weights])
    suffix = draw.choice(["keras", "h5"])
    model.save(f"{folder}/{seed}.{suffix}")
    x = noise.normal(size=(rows, *shape)).astype("float32")
    about = f"{kind} {shape} " + " ".join(type(layer).__name__ for layer in model.layers)
    answer = {"file": f"{seed}.{suffix}", "about": about, "rows": x.reshape(-1).tolist(), "answers": answers_of(model, x), "exact": answers_of(in_doubles(model), x.astype("float64")), "shape": list(x.shape)}
    with open(f"{folder}/{seed}.json", "w") as out:
        json.dump(answer, out)
