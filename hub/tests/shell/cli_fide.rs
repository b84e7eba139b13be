//! From a list of names to the rating report: `flagfall fide`, `event enter`, `event refresh`, `event report` with a running hub.

use serde_json::Value;

use crate::program::{Serving, expect};

const LIST: &str = "\
ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag
990000001      Karlsten, Magne                                              NOR M   GM                           2830  0   10 2818  0   10 2886  0   10 1990      
990000002      Karlsten, Mona                                               DEN F   WIM  WIM                     2210  0   20 0     0   20 2100  0   20 1999  w   
990000003      Mueller, Joerg                                               GER M   FM                           2301  0   20 2290  0   20 0     0   0  1980      
990000004      Twin, Ann                                                    GER F                                1500  0   20 0     0   20 1550  0   20 2001      
990000005      Twin, Ann                                                    ESP F                                1600  0   20 0     0   20 1650  0   20 2003      
x90000006      Nobody, At All                                               ESP F                                0     0   0  1700  0   40 0     0   0  0         
";

struct Hall {
    hub: Serving,
    dir: tempfile::TempDir,
}

impl Hall {
    fn start() -> Self {
        let dir = tempfile::tempdir().unwrap();
        let hub = Serving::start_with(dir.path(), &[]);
        Self { hub, dir }
    }

    fn with_list() -> Self {
        let hall = Self::start();
        let list = hall.file("players_oct26.txt", LIST);
        hall.fide(&["import", &list], 0);
        hall.event(&["new", "Harbour Blitz", "--time-control-code", "180+2"], 0);
        hall
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    #[track_caller]
    fn fide(&self, arguments: &[&str], code: i32) -> (String, String) {
        expect(&self.hub.fide(self.dir.path(), arguments), code)
    }

    #[track_caller]
    fn event(&self, arguments: &[&str], code: i32) -> (String, String) {
        expect(&self.hub.event(self.dir.path(), arguments), code)
    }

    fn players(&self) -> Vec<(String, Option<u64>, Option<u64>)> {
        let (out, _) = self.event(&["players", "--json"], 0);
        let players = out
            .lines()
            .map(|line| serde_json::from_str::<Value>(line).unwrap());
        let player = |player: Value| {
            let name = player["name"].as_str().unwrap().to_owned();
            (name, player["rating"].as_u64(), player["fide_id"].as_u64())
        };
        players.map(player).collect()
    }
}

#[test]
fn a_list_is_imported_searched_and_kept_when_the_next_one_is_broken() {
    let hall = Hall::start();
    let (_, said) = hall.fide(&["status"], 1);
    assert!(said.contains("flagfall fide import FILE"), "{said}");
    let (_, said) = hall.fide(&["search", "karl"], 1);
    assert!(said.contains("no FIDE list"), "{said}");
    let list = hall.file("players_oct26.txt", LIST);
    let (out, said) = hall.fide(&["import", &list], 0);
    assert_eq!(
        out,
        "FIDE list of 2026-10: 5 players (from players_oct26.txt)\n"
    );
    assert!(said.contains("line 7: expected a FIDE ID"), "{said}");
    let (out, _) = hall.fide(&["search", "magne karl", "--json"], 0);
    let found: Value = serde_json::from_str(out.trim()).unwrap();
    assert_eq!(found["fide_id"], 990_000_001);
    assert_eq!(
        (&found["blitz"], &found["birth_year"]),
        (&Value::from(2886), &Value::from(1990))
    );
    let (out, _) = hall.fide(&["search", "karl", "--federation", "den"], 0);
    assert!(
        out.contains("Karlsten, Mona") && !out.contains("Magne"),
        "{out}"
    );
    hall.fide(&["search", "zzz"], 1);
    let cut = hall.file("cut.xml", "<playerslist><player><fideid>7</fideid>");
    let (_, said) = hall.fide(&["import", &cut], 2);
    assert!(
        said.contains("cut.xml is not imported") && said.contains("download it again"),
        "{said}"
    );
    let half: String = LIST.split_inclusive('\n').take(3).collect();
    let half = hall.file("half.txt", &half);
    let (_, said) = hall.fide(&["import", &half], 2);
    assert!(
        said.contains("2 players and the hub's list has 5"),
        "{said}"
    );
    let (out, _) = hall.fide(&["status"], 0);
    assert!(out.contains("5 players"), "{out}");
    let (out, _) = hall.fide(&["import", &half, "--force"], 0);
    assert!(out.contains("2 players (from half.txt)"), "{out}");
}

#[test]
fn a_player_is_entered_by_number_and_never_guessed_by_name() {
    let hall = Hall::with_list();
    hall.event(&["enter", "990000001"], 0);
    hall.event(&["enter", "--fide-id", "990000003"], 0);
    let (_, said) = hall.event(&["enter", "Karlsten"], 1);
    assert!(
        said.contains("Karlsten, Mona") && said.contains("2 players for Karlsten"),
        "{said}"
    );
    let (_, said) = hall.event(&["enter", "Karlsten, M", "--yes"], 1);
    assert!(said.contains("--by-hand"), "{said}");
    hall.event(&["enter", "mona karlsten", "--yes"], 0);
    let (_, said) = hall.event(
        &["enter", "Zulu, Zoe", "--sex", "w", "--birth", "2010-02-03"],
        0,
    );
    assert!(said.contains("Zulu, Zoe is not in the FIDE list"), "{said}");
    hall.event(&["enter", "Twin, Ann", "--by-hand"], 0);
    let (_, said) = hall.event(&["enter", "990000099"], 1);
    assert!(said.contains("no player 990000099"), "{said}");
    // An event at 3 minutes plus 2 seconds uses blitz ratings, and Mueller has no blitz rating.
    let player = |name: &str, rating: Option<u64>, id: Option<u64>| (name.to_owned(), rating, id);
    assert_eq!(
        hall.players(),
        [
            player("Karlsten, Magne", Some(2886), Some(990_000_001)),
            player("Mueller, Joerg", None, Some(990_000_003)),
            player("Karlsten, Mona", Some(2100), Some(990_000_002)),
            player("Zulu, Zoe", None, None),
            player("Twin, Ann", None, None),
        ]
    );
    // Empty fields are filled from the list, but the arbiter's own values are kept.
    hall.event(
        &[
            "enter",
            "--no",
            "5",
            "--fide-id",
            "990000005",
            "--rating",
            "1700",
        ],
        0,
    );
    assert_eq!(
        hall.players()[4],
        player("Twin, Ann", Some(1700), Some(990_000_005))
    );
    let (_, said) = hall.event(&["enter", "--no", "9", "--rating", "1700"], 1 + 1);
    assert!(said.contains("there is no player 9"), "{said}");
}

#[test]
fn a_list_of_names_is_entered_whole_or_not_at_all() {
    let hall = Hall::with_list();
    let broken = hall.file(
        "broken.csv",
        "Name,FIDE id\n\"Karlsten, Mona\",\nHotel, Hana,\n",
    );
    let (_, said) = hall.event(&["enter", "--list", &broken], 2);
    assert!(said.contains("line 3, column"), "{said}");
    let names = "Name;FIDE id;Rating;Club\nTwin, Ann;;;\nMona Karlsten;;;Narvik\nJörg Müller;;2000;\n;990000001;;\nZulu, Zoe;;1900;\n";
    let names = hall.file("names.csv", names);
    let (out, said) = hall.event(&["enter", "--list", &names, "--dry-run"], 0);
    assert!(
        out.contains("Karlsten, Magne NOR 2886 990000001 (FIDE list)"),
        "{out}"
    );
    assert!(
        said.contains("line 2: the FIDE list has 2 players named Twin, Ann"),
        "{said}"
    );
    assert!(
        said.contains("line 6: Zulu, Zoe is not in the FIDE list"),
        "{said}"
    );
    assert_eq!(hall.players(), []);
    let (_, said) = hall.event(&["enter", "--list", &names], 1);
    assert!(said.contains("--yes"), "{said}");
    hall.event(&["enter", "--list", &names, "--yes"], 0);
    let player = |name: &str, rating: Option<u64>, id: Option<u64>| (name.to_owned(), rating, id);
    let entered = [
        player("Karlsten, Magne", Some(2886), Some(990_000_001)),
        player("Mona Karlsten", Some(2100), Some(990_000_002)),
        player("Jörg Müller", Some(2000), Some(990_000_003)),
        player("Zulu, Zoe", Some(1900), None),
        player("Twin, Ann", None, None),
    ];
    assert_eq!(hall.players(), entered);
    let (_, said) = hall.event(&["enter", "--list", &names, "--yes"], 0);
    assert!(
        said.contains("line 5: 990000001 is already player 1"),
        "{said}"
    );
    assert_eq!(hall.players(), entered);
}

#[test]
fn a_player_listed_twice_is_reported_with_both_lines() {
    let hall = Hall::with_list();
    let names = "Name;FIDE id;Rating\nZulu, Zoe;;1900\nMona Karlsten;;\nzoe zulu;;\n;990000002;\n";
    let names = hall.file("names.csv", names);
    let (out, said) = hall.event(&["enter", "--list", &names, "--yes"], 0);
    assert!(
        said.contains("line 4: please check: zoe zulu is on line 2 too"),
        "{said}"
    );
    assert!(
        said.contains(
            "line 5: FIDE ID 990000002, Mona Karlsten, is already on line 3: not entered again"
        ),
        "{said}"
    );
    assert!(out.contains("3 players entered"), "{out}");
    assert_eq!(hall.players().len(), 3);
    let one = hall.file("one.csv", "Name\nHotel, Hana\n");
    let (out, _) = hall.event(&["enter", "--list", &one, "--yes"], 0);
    assert!(out.contains("1 player entered"), "{out}");
    let unknown = hall.file("unknown.csv", "Name;FIDE id\n;990000099\n");
    let (_, said) = hall.event(&["enter", "--list", &unknown, "--yes"], 1);
    assert!(
        said.contains("unknown.csv is not imported: line 2: FIDE ID 990000099"),
        "{said}"
    );
    assert!(!said.contains("entered as written"), "{said}");
}

#[test]
fn only_fide_titles_are_accepted() {
    let hall = Hall::start();
    hall.event(&["new", "Harbour Blitz", "--time-control-code", "180+2"], 0);
    let hand = ["enter", "India, Ida", "--by-hand", "--title"];
    let (_, said) = hall.event(&[&hand[..], &["ZZ"]].concat(), 2);
    assert!(
        said.contains("GM, IM, WGM, FM, WIM, CM, WFM, WCM or none"),
        "{said}"
    );
    hall.event(&[&hand[..], &["wfm"]].concat(), 0);
    let list = hall.file("names.csv", "Name;Title\nHotel, Hana;ZZ\n");
    let (_, said) = hall.event(&["enter", "--list", &list, "--yes"], 2);
    assert!(
        said.contains("line 2, column 13: expected one of GM, IM, WGM, FM, WIM, CM, WFM, WCM"),
        "{said}"
    );
    let (out, _) = hall.event(&["players", "--json"], 0);
    assert!(out.contains("\"title\":\"WFM\""), "{out}");
}

#[test]
fn ratings_are_renewed_before_the_first_round() {
    let hall = Hall::with_list();
    hall.event(
        &["enter", "990000001", "--rating", "2500", "--title", "none"],
        0,
    );
    hall.event(
        &["enter", "Mueller, Joerg", "--by-hand", "--rating", "2200"],
        0,
    );
    hall.event(&["enter", "Twin, Ann", "--by-hand"], 0);
    let (out, _) = hall.event(&["refresh", "--dry-run"], 0);
    assert!(
        out.contains("player 1, Karlsten, Magne: rating 2500 → 2886, title none → GM\n"),
        "{out}"
    );
    assert!(out.contains("FIDE ID none → 990000003"), "{out}");
    assert!(!out.contains("Twin"), "two have that name: {out}");
    assert_eq!(hall.players()[0].1, Some(2500));
    hall.event(&["refresh", "--yes"], 0);
    assert_eq!(hall.players()[0].1, Some(2886));
    assert_eq!(
        hall.players()[1],
        ("Mueller, Joerg".to_owned(), None, Some(990_000_003))
    );
    let (out, _) = hall.event(&["refresh"], 0);
    assert!(out.contains("already agrees with the FIDE list"), "{out}");
    let pairing = hall.file("r1.csv", "Round,Board,White,Black\n1,1,1,2\n");
    hall.event(&["import", &pairing, "--yes"], 0);
    let (_, said) = hall.event(&["refresh", "--yes"], 1);
    assert!(said.contains("round 1 is paired"), "{said}");
}

#[test]
fn the_report_is_written_once_nothing_is_missing() {
    let hall = Hall::with_list();
    hall.event(&["enter", "990000001"], 0);
    hall.event(&["enter", "990000002"], 0);
    let pairing = hall.file("r1.csv", "Round,Board,White,Black\n1,1,1,2\n");
    hall.event(&["import", &pairing, "--yes"], 0);
    let (out, said) = hall.event(&["report", "--check"], 1);
    assert!(
        out.contains("missing: the event has no city\n    flagfall event set --city CITY\n"),
        "{out}"
    );
    assert!(
        out.contains("flagfall event result 1 RESULT --round 1"),
        "{out}"
    );
    assert!(said.contains("things are missing"), "{said}");
    let (out, said) = hall.event(&["report"], 1);
    assert!(out.is_empty() && said.contains("--incomplete"), "{said}");
    let (out, _) = hall.event(&["report", "--incomplete"], 0);
    assert!(out.starts_with("012 Harbour Blitz\r\n"), "{out}");
    hall.event(&["result", "1", "1-0"], 0);
    hall.event(&["round", "confirm", "1"], 0);
    #[rustfmt::skip]
    hall.event(&[
        "set", "--city", "Narvik", "--federation", "NOR", "--starts", "2026-11-20", "--ends", "2026-11-20", "--round-date", "1=2026-11-20",
        "--chief-arbiter", "IA Doe, Jane (1500001)", "--deputy", "FA Roe, Max (1500002)", "--deputy", "NA Poe, Pat (1500003)",
        "--type-text", "Individual: Swiss-System (Blitz)",
    ], 0);
    let (out, _) = hall.event(&["report", "--check"], 0);
    assert_eq!(out, "the rating report is complete\n");
    let (out, said) = hall.event(&["report"], 0);
    assert_eq!(said, "");
    for line in [
        "092 Individual: Swiss-System (Blitz)\r\n",
        "112 NA Poe, Pat (1500003)\r\n",
        "122 3 min + 2 sec per move\r\n",
        "26/11/20\r\n",
        "001    1 m GM Karlsten, Magne                   2886 NOR   990000001 1990/00/00  1.0    1     2 w 1\r\n",
    ] {
        assert!(out.contains(line), "{line:?} in {out}");
    }
    let (out, _) = hall.event(&["report", "--trf26"], 0);
    assert!(out.contains("\r\n142 1\r\n"), "{out}");
    let (_, said) = hall.event(&["set", "--round-date", "2=2026-11-20"], 2);
    assert!(said.contains("the event has 1 round"), "{said}");
    hall.event(&["set", "--round-date", "1=", "--deputy", "none"], 0);
    let (out, _) = hall.event(&["report", "--check"], 1);
    assert!(
        out.contains("missing: round 1 has no date\n    flagfall event set --round-date 1=DAY\n"),
        "{out}"
    );
}
