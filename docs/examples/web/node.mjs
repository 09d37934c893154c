// The best plays of positions, under Node with nothing but onnxruntime-web and a bundle.
//
//     node node.mjs BUNDLE mahbusa:O22o:0.0:w:64:0.0.0 ...

import { readFile } from "node:fs/promises";
import * as ort from "onnxruntime-web";

import { opened, ranked } from "./best-move.js";

try {
  const [bundle, ...positions] = process.argv.slice(2);
  if (!positions.length) throw new Error("expected a bundle and positions");
  ort.env.wasm.numThreads = 1;
  const net = await opened(ort, await readFile(`${bundle}/model.onnx`), await readFile(`${bundle}/manifest.json`, "utf8"));
  for (const position of positions) {
    const [best] = await ranked(net, position);
    console.log(`${position}  ${best.text}  ${best.worth >= 0 ? "+" : ""}${best.worth.toFixed(4)}`);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 2;
}
