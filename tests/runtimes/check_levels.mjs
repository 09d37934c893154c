// Check that every strength level plays in the JavaScript example what check_levels.py has written down.
//
//     node check_levels.mjs BUNDLE SMALL CASES

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as ort from "onnxruntime-web";

import { opened } from "./best-move.js";
import { chosen } from "./level.js";

const [full, small, cases] = process.argv.slice(2);
ort.env.wasm.numThreads = 1;
const open = async (bundle) => opened(ort, await readFile(`${bundle}/model.onnx`), await readFile(`${bundle}/manifest.json`, "utf8"));
const nets = { full: await open(full), small: await open(small) };
const { levels } = JSON.parse(await readFile(`${full}/levels.json`, "utf8"));
const lines = (await readFile(cases, "utf8")).trim().split("\n").map((line) => JSON.parse(line));
for (const { level: number, seed, position, chosen: expected } of lines) {
  const level = levels[number - 1];
  const { text } = await chosen(nets[level.net], level, seed, position);
  assert.equal(text, expected, `level ${number} in ${position}`);
}
assert(lines.length >= 100);
console.log(`JavaScript example: ${lines.length} plays of the levels are those of the program`);
