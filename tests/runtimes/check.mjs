// Check a bundle with ONNX Runtime Web under Node, and the JavaScript example: both must give what golden.jsonl says.
//
//     node check.mjs BUNDLE
//
// It is run in a copy of docs/examples/web, beside plays.js and best-move.js, where onnxruntime-web is installed. Prints the largest difference and
// fails above 1e-5.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as ort from "onnxruntime-web";

import { opened, ranked } from "./best-move.js";
import { uniform } from "./level.js";
import { plays, read, written } from "./plays.js";

const TOLERANCE = 1e-5;

const [bundle] = process.argv.slice(2);
if (!bundle) {
  console.error("usage: node check.mjs BUNDLE");
  process.exit(2);
}
// The test vector of docs/levels.md.
assert.equal(uniform("2 mahbusa:M1A1A16aam:0.0:w:31:0.0.0 mahbusa:L2BA16aam:0.0:b:-:0.0.0"), 0.7660006291181373);

ort.env.wasm.numThreads = 1;
const net = await opened(ort, await readFile(`${bundle}/model.onnx`), await readFile(`${bundle}/manifest.json`, "utf8"));
const { session } = net;
const golden = (await readFile(`${bundle}/golden.jsonl`, "utf8")).trim().split("\n").map((line) => JSON.parse(line));
assert(golden.length >= 500);

const cases = golden.map(({ board, outcomes, equity }) => ({ board, outcomes, equity }));
for (const { plays: listed = [] } of golden) {
  for (const { board, points, outcomes, equity } of listed) {
    // What is good for the side that has played is bad for the one to roll.
    if (points === null) cases.push({ board, outcomes: [...outcomes].reverse(), equity: -equity });
  }
}

let largest = 0;
for (const batch of [1, 64]) {
  const differences = { outcomes: 0, equity: 0 };
  for (let at = 0; at < cases.length; at += batch) {
    const part = cases.slice(at, at + batch);
    const tensor = (name, width) =>
      new ort.Tensor("float32", Float32Array.from(part.flatMap(({ board }) => board[name])), [part.length, width]);
    const found = await session.run({ points: tensor("points", 24), pins: tensor("pins", 24), off: tensor("off", 2) });
    assert.deepEqual([...found.outcomes.dims], [part.length, 5]);
    assert.deepEqual([...found.equity.dims], [part.length]);
    for (const name of ["outcomes", "equity"]) {
      const expected = part.flatMap((one) => one[name]);
      found[name].data.forEach((value, i) => {
        const difference = Math.abs(value - expected[i]);
        // Also what is no number at all.
        if (!(difference <= differences[name])) differences[name] = difference;
      });
    }
  }
  console.log(
    `onnxruntime-web ${ort.env.versions.web}, batch ${batch}: ${cases.length} boards, largest difference ` +
      `${differences.outcomes.toExponential(1)} in outcomes, ${differences.equity.toExponential(1)} in equity`,
  );
  for (const difference of Object.values(differences)) if (!(difference <= largest)) largest = difference;
}

let turns = 0;
for (const line of golden) {
  const position = read(line.position);
  assert.deepEqual(position.board, line.board, line.position);
  assert.equal(written(position, line.position.split(":")[3]), line.position);
  if (!line.plays) continue;
  const text = ({ text, play, board, points }) => JSON.stringify([text ?? play, board.points, board.pins, board.off, points]);
  assert.deepEqual(plays(position).map(text).sort(), line.plays.map(text).sort(), line.position);
  turns += 1;
  // Some stand there for the other game too, which the net does not know.
  if (position.rules !== net.rules) continue;
  const [best] = await ranked(net, line.position);
  const equity = line.plays.find(({ play }) => play === best.text).equity;
  // Of two plays that are worth nearly the same, either may come first.
  assert(line.plays[0].equity - equity <= TOLERANCE, line.position);
  const difference = Math.abs(best.worth - equity);
  if (!(difference <= largest)) largest = difference;
}
assert(turns >= 200);
console.log(`JavaScript example: ${golden.length} positions read, plays and best play right in ${turns} turns`);
if (!(largest <= TOLERANCE)) {
  console.error(`${bundle}: the largest difference, ${largest}, is above ${TOLERANCE}`);
  process.exit(1);
}
