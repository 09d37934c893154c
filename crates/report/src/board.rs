//! Boards as drawings.

use mahbusa_rules::{Board, POINTS};

use crate::font;
use crate::scene::{Anchor, At, Ink, Scene, Shape};

/// The width of a point.
const POINT: f64 = 20.0;
/// The radius of a checker.
const RADIUS: f64 = 9.0;
/// The width of the frame.
const FRAME: f64 = 13.0;
/// The width of the bar in the middle.
const BAR: f64 = 12.0;
/// The height of a half: five checkers and some air.
const HALF: f64 = 5.0 * 2.0 * RADIUS + 12.0;
/// The width of the tray for checkers that are off.
const TRAY: f64 = 22.0;
/// Checkers that a stack shows one by one; the last one says how many there are, if there are more.
const SHOWN: u8 = 5;
/// How far a free stack is lifted above a trapped checker, so that both are seen, in checkers.
const LIFT: f64 = 0.62;

/// How many of the checkers on each point the last play has moved there, the 1-point first.
pub type Moved = [u8; POINTS];

/// A board as the side sees it whose checkers are white: its 24-point above on the right, its 1-point below on the right, where it goes home.
///
/// Trapped checkers lie under the stack that traps them, with a coloured rim. So many
/// free checkers of each point as `moved` says, the innermost, are marked as moved by the last play. A tray beside the board shows checkers that are off, if there are any.
pub fn draw(board: &Board, moved: Moved, title: &str) -> Scene {
    let any_off = board.my_off() > 0 || board.their_off() > 0;
    let inner = 12.0 * POINT + BAR;
    let width = 2.0 * FRAME + inner + if any_off { TRAY + FRAME } else { 0.0 };
    let height = 2.0 * FRAME + 2.0 * HALF;
    let mut scene = Scene::new(title, width, height);
    let far = (FRAME + inner, height - FRAME);
    scene.rectangle((0.0, 0.0), (width, height), Ink::Frame);
    scene.rectangle((FRAME, FRAME), far, Ink::Felt);
    (0..POINTS).for_each(|index| point(&mut scene, index));
    let bar = FRAME + 6.0 * POINT;
    scene.rectangle((bar, FRAME), (bar + BAR, far.1), Ink::Frame);
    (0..POINTS).for_each(|index| stack(&mut scene, board, index, moved[index]));
    if any_off {
        let left = far.0 + FRAME;
        scene.rectangle((left, FRAME), (left + TRAY, far.1), Ink::Felt);
        tray(&mut scene, left, board.their_off(), Ink::Black, |number| FRAME + 2.0 + f64::from(number) * 6.0);
        tray(&mut scene, left, board.my_off(), Ink::White, |number| far.1 - 7.0 - f64::from(number) * 6.0);
    }
    scene
}

/// Whether a point is in the upper half, and the middle of its base.
fn base(index: usize) -> (bool, At) {
    let above = index >= POINTS / 2;
    let column = if above { index - POINTS / 2 } else { POINTS / 2 - 1 - index };
    let x = FRAME + (column as f64 + 0.5) * POINT + if column >= 6 { BAR } else { 0.0 };
    (above, (x, if above { FRAME } else { FRAME + 2.0 * HALF }))
}

fn point(scene: &mut Scene, index: usize) {
    let (above, (x, y)) = base(index);
    let inwards = if above { 1.0 } else { -1.0 };
    let corners = vec![(x - POINT / 2.0, y), (x + POINT / 2.0, y), (x, y + inwards * (HALF - 16.0))];
    let ink = if index.is_multiple_of(2) { Ink::DeepPoint } else { Ink::PalePoint };
    scene.shapes.push(Shape::Area { corners, ink });
    let label = if above { y - 3.5 } else { y + 10.0 };
    scene.text((x, label), 8.5, Anchor::Middle, Ink::Felt, (index + 1).to_string());
}

fn stack(scene: &mut Scene, board: &Board, index: usize, moved: u8) {
    let view = board.point(index);
    let (above, (x, y)) = base(index);
    let inwards = if above { 1.0 } else { -1.0 };
    let place = |checkers: f64| (x, y + inwards * (RADIUS + 0.8 + 2.0 * RADIUS * checkers));
    let trapped = view.mine_trapped || view.theirs_trapped;
    if trapped {
        let ink = if view.mine_trapped { Ink::White } else { Ink::Black };
        scene.shapes.push(Shape::Disc {
            centre: place(0.0),
            radius: RADIUS - 1.0,
            ink,
            rim: Some((Ink::Trapped, 2.0)),
        });
    }
    let (ink, on, count) = match view.free {
        0 => return,
        free if free > 0 => (Ink::White, Ink::OnWhite, free.unsigned_abs()),
        free => (Ink::Black, Ink::OnBlack, free.unsigned_abs()),
    };
    let lift = if trapped { LIFT } else { 0.0 };
    let shown = count.min(if trapped { SHOWN - 1 } else { SHOWN });
    for number in 0..shown {
        let last = number + 1 == shown;
        let rim = if number + moved >= shown { (Ink::Moved, 2.4) } else { (on, 1.0) };
        let centre = place(f64::from(number) + lift);
        let radius = RADIUS - rim.1 / 2.0;
        scene.shapes.push(Shape::Disc { centre, radius, ink, rim: Some(rim) });
        if last && count > shown {
            let text = count.to_string();
            let size = if font::width(&text, 10.0) > 12.0 { 9.5 } else { 10.5 };
            let at = (centre.0, centre.1 + size * 0.36);
            scene.shapes.push(Shape::Text { at, size, anchor: Anchor::Middle, ink: on, bold: true, text });
        }
    }
}

fn tray(scene: &mut Scene, left: f64, off: u8, ink: Ink, y: impl Fn(u8) -> f64) {
    for number in 0..off {
        let top = y(number);
        scene.rectangle((left + 3.0, top), (left + TRAY - 3.0, top + 5.0), ink);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mahbusa_rules::Position;

    fn drawn(position: &str) -> Scene {
        let position: Position = position.parse().unwrap();
        draw(&position.board, [0; POINTS], "a board")
    }

    fn discs(scene: &Scene, wanted: Ink) -> usize {
        scene.shapes.iter().filter(|shape| matches!(shape, Shape::Disc { ink, .. } if *ink == wanted)).count()
    }

    #[test]
    fn stacks_show_up_to_five_checkers_and_then_their_number() {
        let scene = drawn("mahbusa:O22o:0.0:w:-:0.0.0");
        assert_eq!((discs(&scene, Ink::White), discs(&scene, Ink::Black)), (5, 5));
        let numbers =
            scene.shapes.iter().filter(|shape| matches!(shape, Shape::Text { text, bold: true, .. } if text == "15"));
        assert_eq!(numbers.count(), 2);
    }

    #[test]
    fn trapped_checkers_are_seen_below_those_that_trap_them() {
        let scene = drawn("mahbusa:J5C4A~6A4n:0.0:w:-:0.0.0");
        let pinned =
            scene.shapes.iter().position(|shape| matches!(shape, Shape::Disc { rim: Some((Ink::Trapped, _)), .. }));
        let Some(Shape::Disc { centre, ink, .. }) = pinned.map(|index| &scene.shapes[index]) else { panic!("no pin") };
        assert_eq!((*ink, centre.0), (Ink::Black, base(12).1.0));
        let over = scene.shapes.iter().skip(pinned.unwrap() + 1).find_map(|shape| match shape {
            Shape::Disc { centre: over, ink: Ink::White, .. } if over.0 == centre.0 => Some(over.1),
            _ => None,
        });
        assert!((over.unwrap() - centre.1).abs() > RADIUS, "both are to be seen");
    }

    #[test]
    fn every_moved_checker_is_marked() {
        let position: Position = "mahbusa:K5D16o:0.0:b:-:0.0.0".parse().unwrap();
        for count in [0, 2, 4] {
            let moved = std::array::from_fn(|index| if index == 17 { count } else { 0 });
            let scene = draw(&position.board.flip(), moved, "after 6-6 or so");
            let marked =
                |shape: &&Shape| matches!(shape, Shape::Disc { ink: Ink::White, rim: Some((Ink::Moved, _)), .. });
            assert_eq!(scene.shapes.iter().filter(marked).count(), usize::from(count));
        }
    }

    #[test]
    fn checkers_that_are_off_are_in_a_tray() {
        assert!(drawn("mahbusa:4k6A1b2b6L:2.0:w:52:0.0.0").width > drawn("mahbusa:O22o:0.0:w:-:0.0.0").width);
    }
}
