export { findFloatModule } from "./float-module";
export { FloatRunReader } from "./float-run-reader";
export { stepValues, writeFloat32Step } from "./write-float32";
