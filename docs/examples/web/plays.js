// The rules of Mahbusa (Plakoto) and Tapa for a front end: positions as text, and the legal plays of a roll.
//
// Plain JavaScript, no dependencies. A board is what model.onnx takes, as the side to roll sees it: `points` (free checkers, mine positive; index 0
// is my 1-point), `pins` (1 where a checker of mine is trapped, -1 where one of theirs is) and `off` (borne off, mine and theirs).

const FORM =
  /^((?:mahbusa|plakoto|tapa)(?:,checkers=(?:[1-9]|1[0-4]))?):((?:[1-9]\d?|[A-Oa-o]~?)+):(\d+)\.(\d+):([wb]):(-|[1-6]{2}):\d+\.\d+\.\d+$/;

/** What the rules of a position say: whether pinning the mother wins (Mahbusa) or not (Tapa), and the checkers of each side. */
export function game(rules) {
  const [name, option] = rules.split(",");
  return { mother: name !== "tapa", checkers: Number(option?.slice("checkers=".length) ?? 15) };
}

/** The same board, seen by the other side. */
export function mirrored({ points, pins, off }) {
  const turned = (list) => list.map((n) => (n ? -n : 0)).reverse();
  return { points: turned(points), pins: turned(pins), off: [off[1], off[0]] };
}

/**
 * A position as text (PPN), such as `mahbusa:J5C4A~6A4n:0.0:b:31:0.0.0`: the rules, the board as the side in turn sees it, the dice (empty before the
 * roll), whether pinning the mother wins (Mahbusa) or not (Tapa), and the checkers of each side.
 */
export function read(text) {
  const wrong = `\`${text.slice(0, 100)}\` is no position: expected rules:board:off:turn:dice:match, as docs/notation.md describes it`;
  const form = FORM.exec(text);
  if (!form) throw new Error(wrong);
  const [, rules, board, whiteOff, blackOff, turn, dice] = form;
  const { mother, checkers } = game(rules);
  const points = [];
  const pins = []; // both from White's 24-point down
  for (const [, run, letter, pin] of board.matchAll(/(\d+)|([A-Oa-o])(~?)/g)) {
    if (run) {
      for (let i = 0; i < Number(run); i++) points.push(0), pins.push(0);
    } else {
      const white = letter < "a";
      const count = letter.toUpperCase().charCodeAt(0) - 64;
      points.push(white ? count : -count);
      pins.push(pin ? (white ? -1 : 1) : 0);
    }
  }
  const white = { points: points.reverse(), pins: pins.reverse(), off: [Number(whiteOff), Number(blackOff)] };
  const complete = (side) =>
    side.points.reduce((sum, n) => sum + Math.max(n, 0), 0) + side.pins.filter((pin) => pin === 1).length + side.off[0] === checkers;
  if (points.length !== 24 || ![white, mirrored(white)].every(complete) || dice[0] < dice[1]) throw new Error(wrong);
  return {
    rules,
    board: turn === "w" ? white : mirrored(white),
    dice: dice === "-" ? [] : [...dice].map(Number),
    mother,
    checkers,
  };
}

/** A position as text, in a single game, if this side, "w" or "b", is in turn and sees this board. */
export function written({ rules, board, dice = [] }, turn) {
  const { points, pins, off } = turn === "w" ? board : mirrored(board);
  let text = "";
  let run = 0;
  for (let i = 23; i >= 0; i--) {
    if (points[i] === 0) {
      run += 1;
      continue;
    }
    const letter = String.fromCharCode((points[i] > 0 ? 64 : 96) + Math.abs(points[i]));
    text += `${run || ""}${letter}${pins[i] ? "~" : ""}`;
    run = 0;
  }
  return `${rules}:${text}${run || ""}:${off.join(".")}:${turn}:${dice.join("") || "-"}:0.0.0`;
}

/** Whether a free checker of mine may go from this index by this die. */
function canStep({ points, pins }, place, die) {
  if (points[place] <= 0) return false;
  const to = place - die;
  // Two or more of theirs close a point, and so does one that pins a checker of mine.
  if (to >= 0) return points[to] > -1 || (points[to] === -1 && pins[to] !== 1);
  if (pins.includes(1) || points.some((n, i) => i >= 6 && n > 0)) return false;
  return to === -1 || points.every((n, i) => i <= place || n <= 0);
}

/** The board after that step. */
function stepped(board, place, die) {
  const points = [...board.points];
  const pins = [...board.pins];
  const off = [...board.off];
  points[place] -= 1;
  if (points[place] === 0 && pins[place] === -1) {
    points[place] = -1; // their checker is free again
    pins[place] = 0;
  }
  const to = place - die;
  if (to < 0) {
    off[0] += 1;
  } else if (points[to] === -1) {
    points[to] = 1; // their checker is trapped
    pins[to] = -1;
  } else {
    points[to] += 1;
  }
  return { points, pins, off };
}

/** The points of the side that has just stepped if the game is over, else null. */
function score({ points, pins, off }, mother, checkers) {
  // Their last checker on their start is trapped.
  if (pins[0] === -1) {
    if (pins[23] === 1) return 0;
    if (mother && points[23] <= 0) return 2;
  }
  if (off[0] === checkers) return off[1] > 0 ? 1 : 2;
  return null;
}

/** Compares two ways, step by step: the higher point left first, then the lower point reached. */
function compare(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = b[i][0] - a[i][0] || a[i][1] - b[i][1];
    if (order) return order;
  }
  return a.length - b.length;
}

/**
 * All legal plays of a position with dice, one for each board that can be reached, in wire order: `text` ("24/18 24/20", or "-" where nothing can be
 * played), `board` as the side now to roll sees it, `points` of the side that played if the game is over, else null.
 */
export function plays({ board: start, dice, mother, checkers }) {
  if (dice.length !== 2) throw new Error("expected a position with dice, such as 64 in its fifth field");
  if (score(mirrored(start), mother, checkers) !== null) throw new Error("expected a position whose game goes on: this one is over");
  const [high, low] = dice;
  const orders = high === low ? [Array(4).fill(high)] : [[high, low], [low, high]];
  const key = (board) => JSON.stringify(board);
  let found = []; // used dice, the first die, way (a list of steps), board, points
  for (const order of orders) {
    let reached = new Map([[key(start), { way: [], board: start }]]);
    order.forEach((die, number) => {
      const following = new Map();
      for (const { way, board } of reached.values()) {
        for (let place = 0; place < 24; place++) {
          if (!canStep(board, place, die)) continue;
          const after = stepped(board, place, die);
          const longer = [...way, [place + 1, Math.max(place + 1 - die, 0)]];
          const points = score(after, mother, checkers);
          if (points !== null) {
            // Ends the turn, and counts as all dice.
            found.push({ used: order.length, die: order[0], way: longer, board: after, points });
          } else {
            const known = following.get(key(after));
            if (!known || compare(longer, known.way) < 0) following.set(key(after), { way: longer, board: after });
          }
        }
      }
      reached = following;
      for (const one of reached.values()) found.push({ used: number + 1, die: order[0], points: null, ...one });
    });
  }
  if (!found.length) return [{ text: "-", board: mirrored(start), points: null }];
  // As many dice as possible; of two different ones of which only one can be used, the higher.
  const most = Math.max(...found.map((one) => one.used));
  found = found.filter((one) => one.used === most);
  if (most === 1 && high !== low) {
    const highest = Math.max(...found.map((one) => one.die));
    found = found.filter((one) => one.die === highest);
  }
  const boards = new Map();
  for (const one of found) {
    const known = boards.get(key(one.board));
    if (!known || compare(one.way, known.way) < 0) boards.set(key(one.board), one);
  }
  const step = ([from, to]) => `${from}/${to || "off"}`;
  return [...boards.values()]
    .sort((a, b) => compare(a.way, b.way))
    .map(({ way, board, points }) => ({ text: way.map(step).join(" "), board: mirrored(board), points }));
}
