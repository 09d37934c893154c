// Rank legal plays by a net: works in the browser and under Node, whoever has loaded ONNX Runtime Web as `ort` and the files of a bundle.

import { game, plays, read } from "./plays.js";

/** A net to be asked: out of model.onnx as bytes, and manifest.json as text, which says what game the net knows. */
export async function opened(ort, model, manifest) {
  return { ort, session: await ort.InferenceSession.create(model), rules: JSON.parse(manifest).rules };
}

/** This position, if it is one of the game that the net knows. */
export function fitting({ rules }, position) {
  const known = game(rules);
  if (known.mother !== position.mother || known.checkers !== position.checkers) {
    throw new Error(`the net was trained on ${rules}, not on ${position.rules}`);
  }
  return position;
}

/** Expected points of the side to roll, for each of these boards. */
export async function equities({ ort, session }, boards) {
  const tensor = (name, width) =>
    new ort.Tensor("float32", Float32Array.from(boards.flatMap((board) => board[name])), [boards.length, width]);
  const { equity } = await session.run({ points: tensor("points", 24), pins: tensor("pins", 24), off: tensor("off", 2) });
  return equity.data;
}

/** These plays, each with what it is worth to the side that makes it. */
export async function weighed(net, legal) {
  const theirs = await equities(net, legal.map((play) => play.board));
  // The board after a play is seen by the other side: what is good for it is bad for us. A game that is over is worth its points.
  return legal.map((play, i) => ({ ...play, worth: play.points ?? -theirs[i] }));
}

/** Legal plays of a position as text, each with what it is worth to the side that plays, the best first. */
export async function ranked(net, position) {
  return (await weighed(net, plays(fitting(net, read(position))))).sort((a, b) => b.worth - a.worth);
}
