// What a strength level plays, as docs/levels.md says; for levels that look one ply ahead (the highest looks two).

import { ranked } from "./best-move.js";
import { read, written } from "./plays.js";

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

/**
 * The play that a level takes: an entry of `levels` in levels.json, with the session of the net that it asks (`full` or `small`). The seed is a whole
 * number; one for each game makes games differ.
 */
export async function chosen(ort, session, { noise, cap }, seed, position) {
  const plays = await ranked(ort, session, position);
  const [best] = plays;
  if (noise === 0 || best.points !== null) return best;
  // As if the side that plays were White.
  const start = read(position);
  const before = written(start, "w");
  const doubted = ({ board, worth }) => {
    const after = written({ rules: start.rules, board }, "b");
    return worth - noise * Math.log(-Math.log(uniform(`${seed} ${before} ${after}`)));
  };
  const considered = plays.filter(({ worth }) => worth >= best.worth - cap);
  return considered.reduce((a, b) => (doubted(b) > doubted(a) ? b : a));
}
