//! Run folders go in, pages and pictures come out.

#![allow(clippy::unwrap_used, reason = "this is a test as a whole, its helpers included")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, UNIX_EPOCH};

use mahbusa_players::td_200k;
use mahbusa_report::{Measure, Refresh, Report, ReportError, Size, board, check_replaceable, png, svg, write_events};
use mahbusa_rules::{Position, Rules};
use roxmltree::Document;

/// A folder of one test, gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("mahbusa-report-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// A run with these metrics.
    fn run(&self, name: &str, metrics: &str) -> PathBuf {
        let path = self.0.join(name);
        fs::create_dir_all(path.join("nets")).unwrap();
        fs::write(
            path.join("config.toml"),
            "rules = \"mahbusa\"\nseed = 7\n[net]\nhidden = 32\n[train]\ngames = 4000\n",
        )
        .unwrap();
        fs::write(path.join("metrics.jsonl"), metrics).unwrap();
        path
    }

    /// The same with a net.
    fn run_with_net(&self, name: &str, metrics: &str) -> PathBuf {
        let path = self.run(name, metrics);
        fs::write(path.join("best.mnet"), td_200k(Rules::MAHBUSA).unwrap().to_bytes()).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn line(games: u64, loss: &str) -> String {
    format!(
        "{{\"games\":{games},\"positions\":{},\"seconds\":{},\"games_per_second\":812.5,\"learner_positions_per_second\":160000.0,\
         \"loss\":{loss},\"learning_rate\":0.001,\"plies\":93.4,\"passes\":3.2,\"outcomes\":[0.2,0.25,0.05,0.25,0.25],\"mother\":0.04,\
         \"mars\":0.37,\"draw\":0.05,\"first_mover\":0.5263}}\n",
        games * 93,
        games as f64 / 800.0
    )
}

fn verdict(mean: f64) -> String {
    let interval = |mean: f64| format!("{{\"mean\":{mean},\"low\":{},\"high\":{}}}", mean - 0.0625, mean + 0.0625);
    format!(
        "{{\"games\":1000,\"points_per_game\":{},\"win_rate\":{},\"rates\":{{\"win_single\":0.3,\"win_mars\":0.4,\"win_mother\":0.1,\
         \"draw\":0.0,\"lose_single\":0.1,\"lose_mars\":0.05,\"lose_mother\":0.05}},\"plies\":92.0}}",
        interval(mean),
        interval(0.8125)
    )
}

fn measured(games: u64, loss: &str, heuristic: f64, best: Option<f64>) -> String {
    let best = best.map_or(String::new(), |mean| format!(",\"best\":{}", verdict(mean)));
    let strength = format!(",\"strength\":{{\"heuristic\":{}{best}}}}}\n", verdict(heuristic));
    line(games, loss).replace("}\n", &strength)
}

/// The page of some runs, which is well-formed and asks for nothing from elsewhere.
fn page(folders: &[PathBuf]) -> String {
    let page = Report::of(folders).unwrap().page(None);
    let xml = page.strip_prefix("<!doctype html>").unwrap();
    let document = Document::parse(xml).unwrap();
    for node in document.descendants() {
        for attribute in node.attributes() {
            let name = attribute.name();
            assert!(!matches!(name, "src" | "href" | "srcset" | "action"), "{name} in {}", node.tag_name().name());
        }
    }
    assert!(!page.contains("url(") && !page.contains("@import"));
    assert!(!page.contains("NaN"));
    page
}

/// The text of a page, spaces between words only.
fn text(page: &str) -> String {
    let document = Document::parse(page.strip_prefix("<!doctype html>").unwrap()).unwrap();
    let texts = document.descendants().filter(roxmltree::Node::is_text).filter_map(|node| node.text());
    texts.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_numbers_of_a_run_are_on_its_page() {
    let folder = Folder::new();
    let metrics = line(500, "1.25") + &measured(1000, "0.875", -0.25, None) + &measured(2000, "0.75", 0.5, Some(0.125));
    let run = folder.run_with_net("first", &metrics);
    fs::write(run.join("nets/000000001000.mnet"), "not read").unwrap();
    let lock = fs::File::create(run.join("lock")).unwrap();
    lock.lock().unwrap();
    let page = page(&[run]);
    let said = text(&page);
    for expected in [
        "first",
        "32 units",
        "seed 7",
        "of 4,000 games, 50.0 %",
        "+0.500",
        "+0.438 .. +0.562",
        "81.2 %",
        "+0.125 [+0.062 .. +0.188]",
        "0.7500",
        "\u{2212}0.250",
        "train.games",
        "about 2 s left",
        "best",
        "6-4",
    ] {
        assert!(said.contains(expected), "{expected} in {said}");
    }
    assert_eq!(page.matches("class=\"card\"").count(), 21);
    assert!(page.contains("52.6 %"), "values under the pointer");
}

#[test]
fn a_page_that_is_refreshed_says_so_to_the_browser() {
    let folder = Folder::new();
    let report = Report::of(&[folder.run("run", &line(500, "1.0"))]).unwrap();
    let refresh = Refresh { every: Duration::from_secs(30), until: UNIX_EPOCH + Duration::from_secs(5000) };
    assert!(report.page(Some(refresh)).contains("<body data-every=\"30\" data-until=\"5000\">"));
    assert!(report.page(None).contains("<body>"));
}

#[test]
fn only_a_run_that_a_process_works_on_has_time_left() {
    let folder = Folder::new();
    let runs = ["one", "two"].map(|name| folder.run(name, &(line(500, "1.0") + &line(1000, "0.9"))));
    for (shown, among) in [(&runs[..1], "alone"), (&runs[..], "compared")] {
        let said = text(&page(shown));
        assert!(said.contains("stopped") && !said.contains("paused") && !said.contains("4 s left"), "{among}: {said}");
    }
    let lock = fs::File::create(runs[0].join("lock")).unwrap();
    lock.lock().unwrap();
    let said = text(&page(&runs));
    assert_eq!((said.matches("about 4 s left").count(), said.matches("stopped").count()), (1, 1), "{said}");
}

#[test]
fn several_runs_are_laid_over_each_other() {
    let folder = Folder::new();
    let one = folder.run_with_net("one", &(measured(1000, "0.9", 0.1, None) + &measured(2000, "0.8", 0.2, Some(0.1))));
    let two = folder.run_with_net("two", &measured(1500, "0.7", 0.3, None));
    let report = Report::of(&[one.clone(), two.clone()]).unwrap();
    let chart = report.chart(Measure::Strength);
    assert_eq!(
        chart.curves.iter().map(|curve| (curve.name.as_str(), curve.points.len())).collect::<Vec<_>>(),
        [("one", 2), ("two", 1)]
    );
    let picture = svg::file(&chart.draw(Size::PICTURE).scene);
    for expected in ["s-run-0", "f-run-1", ">one<", ">two<"] {
        assert!(picture.contains(expected), "{expected}");
    }
    let said = text(&page(&[one, two]));
    assert!(said.starts_with("2 runs") && said.contains("What differs is marked"), "{said}");
    // More runs than colours.
    let many: Vec<PathBuf> = (0..14).map(|number| folder.run(&format!("run{number}"), &line(500, "1.0"))).collect();
    assert!(text(&page(&many)).contains("run13"));
}

#[test]
fn names_and_values_are_no_markup() {
    let folder = Folder::new();
    let run = folder.run("<b>&'\"x", &(measured(500, "1.0", 0.1, None) + &line(700, "1.0")));
    fs::write(run.join("manifest.json"), "{\"version\":\"</td><script>\"}").unwrap();
    let other = folder.run("other", "");
    let written = page(&[run.clone(), other.clone()]);
    assert!(!written.contains("<b>&") && !written.contains("</td><script>"));
    assert!(text(&written).contains("<b>&'\"x") && text(&written).contains("</td><script>"));
    let picture = svg::file(&Report::of(&[run, other]).unwrap().chart(Measure::Loss).draw(Size::PICTURE).scene);
    assert!(Document::parse(&picture).unwrap().descendants().any(|node| node.text() == Some("<b>&'\"x")));
}

#[test]
fn runs_that_have_hardly_begun_are_shown_as_far_as_they_are() {
    let folder = Folder::new();
    for (name, metrics) in
        [("empty", String::new()), ("one", line(32, "1.6")), ("measured", measured(32, "1.6", -1.9, None))]
    {
        let run = folder.run(name, &metrics);
        let said = text(&page(std::slice::from_ref(&run)));
        assert!(said.contains("There is no net yet"), "{said}");
        for measure in Measure::ALL {
            let scene = Report::of(std::slice::from_ref(&run)).unwrap().chart(measure).draw(Size::PICTURE).scene;
            Document::parse(&svg::file(&scene)).unwrap();
        }
    }
    let bare = folder.run("bare", "");
    fs::remove_file(bare.join("metrics.jsonl")).unwrap();
    assert!(text(&page(&[bare])).contains("nothing measured yet"));
}

#[test]
fn what_is_missing_or_no_number_leaves_a_gap() {
    let folder = Folder::new();
    let metrics = line(500, "1.5")
        + &line(1000, "null")
        + &line(1500, "1.25")
        + "{\"games\":2000}\n"
        + &line(2500, "1.0")
        + &line(3000, "0.9");
    let run = folder.run("gaps", &metrics);
    let report = Report::of(std::slice::from_ref(&run)).unwrap();
    let curve = &report.chart(Measure::Loss).curves[0];
    let values: Vec<f64> = curve.points.iter().map(|point| point.y).collect();
    assert_eq!(values.len(), 6);
    assert!(values[1].is_nan() && values[3].is_nan() && values[5] == 0.9, "{values:?}");
    let picture = svg::file(&report.chart(Measure::Loss).draw(Size::PICTURE).scene);
    // The values before, between and after the gaps: two alone, and a line through the others.
    assert_eq!(picture.matches("class=\"l s-run-0\"").count(), 1);
    assert!(!picture.contains("NaN"));
    page(&[run]);
}

#[test]
fn damage_is_named_with_its_file_and_line() {
    let folder = Folder::new();
    let said = |metrics: &str| {
        let run = folder.run("run", metrics);
        Report::of(&[run]).unwrap_err().to_string()
    };
    let good = line(500, "1.0");
    assert!(
        said(&(good.clone() + "{\"games\":\n" + &line(900, "1.0"))).contains("metrics.jsonl:2: no line of metrics")
    );
    assert!(said(&(good.clone() + &good)).contains("metrics.jsonl:2: found 500 games, expected more than the 500"));
    assert!(said(&(good.clone() + "\u{0}\n")).contains("metrics.jsonl:2:"));
    assert!(said("{\"games\":-5}\n").contains("metrics.jsonl:1:"));
    // A line that is just being written is no damage.
    let run = folder.run("run", &(good.clone() + "{\"games\":9"));
    assert_eq!(Report::of(std::slice::from_ref(&run)).unwrap().runs[0].games(), 500);

    fs::write(run.join("verdict.json"), "{").unwrap();
    assert!(Report::of(std::slice::from_ref(&run)).unwrap_err().to_string().contains("verdict.json"));
    fs::remove_file(run.join("verdict.json")).unwrap();
    fs::write(run.join("config.toml"), "rules = ").unwrap();
    let said = Report::of(std::slice::from_ref(&run)).unwrap_err().to_string();
    assert!(said.contains("config.toml:1: ") && !said.contains('\n'), "{said}");
    assert!(matches!(Report::of(&[folder.0.join("nowhere")]), Err(ReportError::Folder(_))));
    let net = folder.run("net", &good);
    fs::write(net.join("best.mnet"), "damaged").unwrap();
    assert!(Report::of(&[net]).unwrap_err().to_string().contains("best.mnet"));
}

#[test]
fn a_long_run_makes_no_larger_page_than_a_shorter_one() {
    let folder = Folder::new();
    let metrics = |lines: u64| (1..=lines).map(|number| line(number * 10, "0.75")).collect::<String>();
    let size = |lines: u64| Report::of(&[folder.run("run", &metrics(lines))]).unwrap().page(None).len();
    assert!(size(20_000) < size(2_000) + size(2_000) / 5);
    // Of measurements some are shown, the last one and the best one among them.
    let metrics = |count: u64| {
        let all =
            (1..=count).map(|number| measured(number * 10, "0.75", 0.5, Some(if number == 7 { 0.1 } else { -0.1 })));
        all.collect::<String>()
    };
    let page = |count: u64| page(&[folder.run("run", &metrics(count))]);
    let (long, short) = (page(3_000), page(400));
    assert!(long.len() < short.len() + short.len() / 5, "{} {}", long.len(), short.len());
    let said = text(&long);
    assert!(said.contains("30,000 38 s") && said.contains(" 70 0.1 s "), "{said}");
}

#[test]
fn pictures_say_what_made_them_and_replace_only_such() {
    let folder = Folder::new();
    let run = folder.run("run", &measured(500, "1.0", 0.5, None));
    let report = Report::of(&[run]).unwrap();
    let scene = report.chart(Measure::Strength).draw(Size::PICTURE).scene;
    let picture = png::file(&scene);
    let decoded = tiny_skia::Pixmap::decode_png(&picture).unwrap();
    assert_eq!((decoded.width(), decoded.height()), (1720, 920));
    for bytes in [report.page(None).into_bytes(), svg::file(&scene).into_bytes(), picture] {
        let file = folder.0.join("file");
        fs::write(&file, bytes).unwrap();
        check_replaceable(&file).unwrap();
    }
    check_replaceable(&folder.0.join("nothing")).unwrap();
    fs::write(folder.0.join("file"), "a letter").unwrap();
    for name in ["file", "run"] {
        assert!(matches!(check_replaceable(&folder.0.join(name)), Err(ReportError::Occupied(_))), "{name}");
    }
}

#[test]
fn boards_are_drawings_too() {
    let position: Position = "mahbusa:J5C4A~6A4n:0.0:w:-:0.0.0".parse().unwrap();
    let drawing =
        svg::file(&board::draw(&position.board, std::array::from_fn(|index| u8::from(index == 12)), "after <13>"));
    let document = Document::parse(&drawing).unwrap();
    assert!(document.descendants().any(|node| node.text() == Some("after <13>")));
    assert!(drawing.contains("s-trapped") && drawing.contains("s-moved"));
}

/// The records of an event file, their checksums left out.
fn records(path: &Path) -> Vec<Vec<u8>> {
    let bytes = fs::read(path).unwrap();
    let (mut rest, mut records) = (bytes.as_slice(), Vec::new());
    while !rest.is_empty() {
        let length = u64::from_le_bytes(rest[..8].try_into().unwrap()) as usize;
        records.push(rest[12..12 + length].to_vec());
        rest = &rest[12 + length + 4..];
    }
    records
}

#[test]
fn event_files_hold_a_record_for_each_line() {
    let folder = Folder::new();
    let runs = [folder.run("one", &(line(500, "1.5") + &measured(1000, "null", 0.5, None))), folder.run("two", "")];
    let report = Report::of(&runs).unwrap();
    let files = write_events(&report, &folder.0.join("events"), false).unwrap();
    assert_eq!(
        files,
        ["one", "two"].map(|name| folder.0.join("events").join(name).join("events.out.tfevents.0.mahbusa"))
    );
    let records = [records(&files[0]), records(&files[1])];
    assert_eq!((records[0].len(), records[1].len()), (3, 1));
    let holds = |record: &[u8], part: &[u8]| record.windows(part.len()).any(|window| window == part);
    assert!(holds(&records[0][0], b"brain.Event:2"));
    // The tag, then field 2, a float.
    let loss = [b"learning/loss\x15".as_slice(), &1.5f32.to_le_bytes()].concat();
    assert!(holds(&records[0][1], &loss) && !holds(&records[0][2], b"learning/loss"));
    assert!(holds(&records[0][2], b"strength/heuristic"));
    // Its own files may be written again.
    write_events(&report, &folder.0.join("events"), false).unwrap();
    fs::write(&files[1], "something else").unwrap();
    assert!(matches!(write_events(&report, &folder.0.join("events"), false), Err(ReportError::Occupied(_))));
    write_events(&report, &folder.0.join("events"), true).unwrap();
}
