//! Reads a list of players from a table. Columns are found by their headings, in any order and in four languages. Owns
//! the headings and the bounds of the values; must never look up a name.

use std::collections::BTreeMap;
use std::str::FromStr;

use super::{Columns, rows, start};
use crate::fold::{MAX_FIDE_ID, MAX_RATING};
use crate::formats::expected::Expected;
use crate::formats::fault::{Fault, Faults, Field, MAX_FAULTS};
use crate::formats::remark::Remark;
use crate::formats::text::decode;
use crate::formats::trf::value::Date;
use crate::formats::wording::joined;
use crate::{Sex, TITLES, fide_title};

const BIRTH: Expected = Expected::Birth("1990 or 1990-04-30");

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Column {
    Name,
    LastName,
    FirstName,
    FideId,
    Rating,
    Title,
    Federation,
    Sex,
    Birth,
    Club,
}

const HEADINGS: [(Column, &str); 10] = [
    (
        Column::Name,
        "name player names spieler nombre jugador nom joueur",
    ),
    (
        Column::LastName,
        "lastname surname familyname nachname apellidos apellido nomdefamille",
    ),
    (
        Column::FirstName,
        "firstname givenname vorname prenom prénom",
    ),
    (
        Column::FideId,
        "fideid fide fideno fidenumber idfide id fidenr codefide idnumber",
    ),
    (
        Column::Rating,
        "rating elo rtg fiderating elofide fideelo classement",
    ),
    (Column::Title, "title tit titel titulo título titre"),
    (
        Column::Federation,
        "federation fed country land federacion federación fédération verband föderation",
    ),
    (Column::Sex, "sex gender geschlecht sexo sexe mf mw"),
    (
        Column::Birth,
        "birth born birthday dateofbirth birthdate yearofbirth bday geburt geburtsdatum geburtsjahr jahrgang \
         nacimiento fechadenacimiento naissance datedenaissance",
    ),
    (Column::Club, "club verein team mannschaft equipo"),
];

/// A player in the list, with the data that the list gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Line of the file, from 1.
    pub line: usize,
    /// The name as written; empty if only the FIDE ID is given.
    pub name: String,
    /// The FIDE ID; `None` if the list states no ID, or states 0.
    pub fide_id: Option<u64>,
    /// The rating; `Some(0)` means unrated, and `None` that the list states no rating.
    pub rating: Option<u16>,
    /// The title, such as `GM` or `WFM`, or empty.
    pub title: String,
    /// The federation's three-letter code, or empty.
    pub federation: String,
    /// The sex; `None` if the list does not state it.
    pub sex: Option<Sex>,
    /// The date of birth, as `1990` or `1990/04/30`, or empty.
    pub birth: String,
    /// The club, or empty.
    pub club: String,
}

/// The players of a list, the headings that were not read, and remarks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entries {
    /// The players, in the order of the file.
    pub entries: Vec<Entry>,
    /// Unknown headings, whose columns were not read.
    pub ignored: Vec<String>,
    /// Remarks on the text.
    pub remarks: Vec<Remark>,
}

/// Reads a list of players.
///
/// # Errors
/// Returns the errors with their lines and columns; the list is then refused as a whole.
pub fn read(bytes: &[u8]) -> Result<Entries, Faults> {
    let text = decode(bytes)?;
    let mut rows = rows(&text.without_hidden())?.into_iter();
    let Some(head) = rows.next() else {
        let expected = Expected::Headers("Name, FIDE id");
        return Err(Fault::of_file(expected, "an empty file").into());
    };
    let columns = Columns::find(&head, &HEADINGS)?;
    if !columns.has_any(&[Column::Name, Column::LastName, Column::FideId]) {
        let (line, column) = start(&head);
        let found = head.first().map_or("", |field| field.text.as_str());
        return Err(Fault::new(line, column, Expected::Header("Name or FIDE id"), found).into());
    }
    let mut faults = Vec::new();
    let mut entries: Vec<Entry> = Vec::new();
    let mut ids: BTreeMap<u64, usize> = BTreeMap::new();
    for row in rows {
        match entry(&row, &columns, head.len()) {
            Ok(entry) => {
                let id = entry.fide_id;
                if let Some(line) = id.and_then(|id| ids.insert(id, entry.line)) {
                    let at = columns.cell(&row, Column::FideId);
                    let expected = Expected::FideIdOnce(line);
                    faults.extend(at.map(|field| field.fault(expected)));
                }
                entries.push(entry);
            }
            Err(fault) => faults.push(fault),
        }
        if faults.len() >= MAX_FAULTS {
            break;
        }
    }
    if entries.is_empty() && faults.is_empty() {
        let (expected, found) = (Expected::PlayerPerLine, "the end of the file");
        faults.push(Fault::because(2, 1, expected, found));
    }
    let list = Entries {
        entries,
        ignored: columns.ignored,
        remarks: text.remarks,
    };
    Faults::none_or(list, faults)
}

fn entry(row: &[Field], columns: &Columns<Column>, width: usize) -> Result<Entry, Fault> {
    let (line, _) = start(row);
    let cell = |column: Column| columns.cell(row, column);
    let text = |column: Column| cell(column).map_or("", |field| field.text.as_str());
    // In a list with only a name column, commas do not separate columns.
    let bare = width == 1 && columns.has_any(&[Column::Name]);
    let mut more = row.iter().skip(width);
    if let Some(more) = more.find(|field| !field.is_blank() && !bare) {
        return Err(more.fault(Expected::Fields(width)));
    }
    let name = match (text(Column::LastName), text(Column::FirstName)) {
        _ if bare => joined(row.iter().map(|field| &field.text), ", "),
        ("", _) => text(Column::Name).to_owned(),
        (last, "") => last.to_owned(),
        (last, first) => format!("{last}, {first}"),
    };
    let id = |text: &str| number(text, MAX_FIDE_ID).map(Some);
    let fide_id = parsed(cell(Column::FideId), &Expected::FideId, id)?;
    let fide_id = fide_id.filter(|id| *id > 0);
    if name.trim().is_empty() && fide_id.is_none() {
        return Err(Fault::because(line, 1, Expected::NameOrFideId, "neither"));
    }
    let rating = |text: &str| number(text, MAX_RATING).map(Some);
    let rating = parsed(cell(Column::Rating), &Expected::Rating, rating)?;
    let title = |text: &str| fide_title(text).map(str::to_owned);
    let sex = |text: &str| sex(text).map(Some);
    Ok(Entry {
        line,
        name: name.trim().to_owned(),
        fide_id,
        rating,
        title: parsed(cell(Column::Title), &Expected::OneOf(&TITLES), title)?,
        federation: parsed(cell(Column::Federation), &Expected::Federation, federation)?,
        sex: parsed(cell(Column::Sex), &Expected::OneOf(&["m", "w"]), sex)?,
        birth: parsed(cell(Column::Birth), &BIRTH, birth)?,
        club: text(Column::Club).to_owned(),
    })
}

fn parsed<T: Default>(
    field: Option<&Field>,
    expected: &Expected,
    parse: impl Fn(&str) -> Option<T>,
) -> Result<T, Fault> {
    match field {
        Some(field) => parse(&field.text).ok_or_else(|| field.fault(expected.clone())),
        None => Ok(T::default()),
    }
}

fn number<N: FromStr + PartialOrd>(text: &str, max: N) -> Option<N> {
    text.parse().ok().filter(|number| *number <= max)
}

fn federation(text: &str) -> Option<String> {
    let code = text.to_ascii_uppercase();
    let letters = code.bytes().all(|byte| byte.is_ascii_uppercase());
    Some(code).filter(|code| code.len() == 3 && letters)
}

fn sex(text: &str) -> Option<Sex> {
    match text.to_lowercase().as_str() {
        "m" | "male" | "h" => Some(Sex::Male),
        "w" | "f" | "female" => Some(Sex::Female),
        _ => None,
    }
}

fn birth(text: &str) -> Option<String> {
    let date = Date::read(text).ok()?;
    Some(date.map(|date| date.known()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_without_other_columns_need_no_quotes() {
        let read = read("Name\nHotel, Hana\nIndia, Ian\n".as_bytes()).unwrap();
        let names: Vec<&str> = read
            .entries
            .iter()
            .map(|entry| entry.name.as_str())
            .collect();
        assert_eq!(names, ["Hotel, Hana", "India, Ian"]);
    }

    #[test]
    fn columns_are_read_in_any_order_and_unknown_ones_are_named() {
        let text = "Elo;Nachname;Vorname;FIDE-ID;Titel;Verband;Geschlecht;Jahrgang;Verein;Tisch\n\
                    2105;Hotel;Hana;1500090;wfm;nor;w;2001;Narvik;4\n;India;;;;;;;;\n";
        let read = read(text.as_bytes()).unwrap();
        assert_eq!(read.ignored, ["Tisch"]);
        assert_eq!(
            read.entries,
            [
                Entry {
                    line: 2,
                    name: "Hotel, Hana".to_owned(),
                    fide_id: Some(1_500_090),
                    rating: Some(2_105),
                    title: "WFM".to_owned(),
                    federation: "NOR".to_owned(),
                    sex: Some(Sex::Female),
                    birth: "2001".to_owned(),
                    club: "Narvik".to_owned(),
                },
                Entry {
                    line: 3,
                    name: "India".to_owned(),
                    ..Entry::default()
                },
            ]
        );
    }

    #[test]
    fn every_fault_has_its_place() {
        let text = "Name,FIDE id,Rating,Birth\nA B,12x,,\n\"C, D\",7,99999,\nE, F,1,2,1990\n\"G, H\",7,,soon\n,,5,\n\"I\",7,,\n\"J\",7,,\n";
        let faults = read(text.as_bytes()).unwrap_err();
        let places: Vec<(usize, usize)> = faults
            .listed()
            .iter()
            .map(|fault| (fault.line, fault.column))
            .collect();
        assert_eq!(places, [(2, 5), (3, 10), (4, 10), (5, 11), (6, 1), (8, 5)]);
        assert!(read(b"Board,White\n1,2\n").is_err());
    }
}
