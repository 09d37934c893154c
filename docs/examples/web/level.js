// What a strength level plays, as docs/levels.md says.

import { fitting, weighed } from "./best-move.js";
import { plays, read, written } from "./plays.js";

const ROLLS = [1, 2, 3, 4, 5, 6].flatMap((high) => Array.from({ length: high }, (_, i) => [high, i + 1]));

/** A number between 0 and 1 that follows from a text: FNV-1a, then the finaliser of SplitMix64. */
export function uniform(text) {
  const low = (number) => BigInt.asUintN(64, number);
  let z = 0xcbf29ce484222325n;
  for (const character of text) z = low((z ^ BigInt(character.charCodeAt(0))) * 0x100000001b3n);
  z = low((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = low((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  z ^= z >> 31n;
  return (Number(z >> 12n) + 0.5) / 2 ** 52;
}

/** What a play is worth two plies deep: the mean over all rolls of the reply that is best for the other side, by the net. */
async function deeper(net, position, play) {
  if (play.points !== null) return play.points;
  const replies = ROLLS.map((dice) => plays({ ...position, board: play.board, dice }));
  const worths = (await weighed(net, replies.flat())).map(({ worth }) => worth);
  let sum = 0;
  for (const [i, { length }] of replies.entries()) {
    sum += Math.max(...worths.splice(0, length)) * (ROLLS[i][0] === ROLLS[i][1] ? 1 : 2);
  }
  return -sum / 36;
}

/** The plays that are looked at so many plies deep, with what they seem to be worth, the best first; of equal ones the first in wire order. */
async function considered(net, position, ply) {
  const best = (a, b) => b.worth - a.worth || a.index - b.index;
  const all = (await weighed(net, plays(position))).map((play, index) => ({ ...play, index })).sort(best);
  if (ply === 1) return all;
  const near = all.filter(({ worth }) => worth >= all[0].worth - 0.15).length;
  const kept = [];
  for (const play of all.slice(0, Math.max(5, Math.min(near, 20)))) {
    kept.push({ ...play, worth: await deeper(net, position, play) });
  }
  return kept.sort(best);
}

/**
 * The play that a level takes: an entry of `levels` in levels.json, with the net that it asks (`full` or `small`). The seed is a whole
 * number; one for each game makes games differ.
 */
export async function chosen(net, { level, ply, noise, cap }, seed, position) {
  if (ply > 2) throw new Error(`level ${level} looks ${ply} plies ahead: expected 1 or 2`);
  const start = fitting(net, read(position));
  const all = await considered(net, start, ply);
  const [best] = all;
  if (noise === 0 || best.points !== null) return best;
  // As if the side that plays were White.
  const before = written(start, "w");
  const doubted = ({ board, worth }) => {
    const after = written({ rules: start.rules, board }, "b");
    return worth - noise * Math.log(-Math.log(uniform(`${seed} ${before} ${after}`)));
  };
  return all.filter(({ worth }) => worth >= best.worth - cap).reduce((a, b) => (doubted(b) > doubted(a) ? b : a));
}
