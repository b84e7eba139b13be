//! The search through one block's lines of words. Owns the matching and the scores; [`super::index`] owns the layout of a line.

use memchr::memmem::Finder;

/// A query word of at most this length, including the space before it, never counts as a whole word: an initial matches too many names.
const MAX_INITIALS: usize = 2;

#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// The words of the query, each preceded by a space, as the words of a name in a line are.
    words: Vec<Vec<u8>>,
    /// The federation at the beginning of a matching line; empty for any federation.
    federation: Vec<u8>,
    /// The search for candidate lines: by the longest word, or by a given federation if no word has more than two bytes.
    finder: Finder<'static>,
    by_federation: bool,
    /// The search for the whole word of a one-word query. It replaces `finder` once enough lines contain only the beginning of the word, except in a
    /// search by federation.
    whole: Option<Finder<'static>>,
}

impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        (&self.words, &self.federation) == (&other.words, &other.federation)
    }
}

impl Eq for Pattern {}

impl Pattern {
    pub(super) fn new(words: Vec<String>, federation: &str) -> Option<Self> {
        let longest = words.iter().max_by_key(|word| word.len())?.clone();
        let words = words.iter().map(|word| format!(" {word}").into_bytes());
        // More words begin with the same one or two letters than a federation usually has players.
        let by_federation = !federation.is_empty() && longest.len() <= 2;
        let sought = match by_federation {
            true => format!("\n{federation} "),
            false => format!(" {longest}"),
        };
        let words: Vec<Vec<u8>> = words.collect();
        let whole = match words.as_slice() {
            [word] if can_be_whole(word) => {
                let whole = [word.as_slice(), b" "].concat();
                Some(Finder::new(&whole).into_owned())
            }
            _ => None,
        };
        Some(Self {
            whole,
            words,
            federation: federation.as_bytes().to_vec(),
            finder: Finder::new(sought.as_bytes()).into_owned(),
            by_federation,
        })
    }

    fn max_score(&self) -> usize {
        let whole = self.words.iter().filter(|word| can_be_whole(word)).count();
        whole + usize::from(whole > 0)
    }

    pub(super) fn scan(&self, block: &[u8], nth: usize, found: &mut BestLines) {
        let finder = match &self.whole {
            Some(whole) if !self.by_federation && found.has_enough_of_score(0) => whole,
            Some(_) | None => &self.finder,
        };
        let mut from = 0;
        // The first line has no line break before it.
        if self.by_federation && block.starts_with(&self.federation) {
            let end = memchr::memchr(b'\n', block).unwrap_or(block.len());
            self.consider(block, 0..end, nth, found);
            from = end;
        }
        while let Some(at) = block.get(from..).and_then(|rest| finder.find(rest)) {
            let at = from + at;
            let start = match self.by_federation {
                true => at + 1,
                false => memchr::memrchr(b'\n', &block[..at]).map_or(0, |end| end + 1),
            };
            let end = memchr::memchr(b'\n', &block[start..]).map_or(block.len(), |end| start + end);
            self.consider(block, start..end, nth, found);
            from = end;
        }
    }

    fn consider(
        &self,
        block: &[u8],
        at: std::ops::Range<usize>,
        nth: usize,
        found: &mut BestLines,
    ) {
        let Some(score) = self.score(&block[at.clone()]) else {
            return;
        };
        found.add(score, || {
            let before = memchr::memchr_iter(b'\n', &block[..at.start]);
            (nth, before.count())
        });
    }

    /// Returns the score of a line: one point for each whole word, and one more if one of them is in the surname. Returns `None` if the line does not
    /// match.
    fn score(&self, line: &[u8]) -> Option<usize> {
        if !line.starts_with(&self.federation) {
            return None;
        }
        let surname = memchr::memchr(b',', line).unwrap_or(line.len());
        let (mut whole, mut of_surname) = (0, false);
        for word in &self.words {
            // Lines are so short that preparing a vectorised search would take longer than this loop.
            let blanks = memchr::memchr_iter(b' ', line);
            let mut places =
                blanks.filter(|at| line.get(*at..).is_some_and(|rest| rest.starts_with(word)));
            let mut place = Some(places.next()?);
            while let Some(at) = place.filter(|_| can_be_whole(word)) {
                if line.get(at + word.len()) == Some(&b' ') {
                    whole += 1;
                    of_surname |= at < surname;
                    break;
                }
                place = places.next();
            }
        }
        Some(whole + usize::from(of_surname))
    }
}

fn can_be_whole(word: &[u8]) -> bool {
    word.len() > MAX_INITIALS
}

pub(super) struct BestLines {
    limit: usize,
    by_score: Vec<Vec<(usize, usize)>>,
}

impl BestLines {
    pub(super) fn new(limit: usize) -> Self {
        Self {
            limit,
            by_score: Vec::new(),
        }
    }

    fn add(&mut self, score: usize, line: impl FnOnce() -> (usize, usize)) {
        if self.by_score.len() <= score {
            self.by_score.resize(score + 1, Vec::new());
        }
        if let Some(lines) = self.by_score.get_mut(score)
            && lines.len() < self.limit
        {
            lines.push(line());
        }
    }

    fn has_enough_of_score(&self, score: usize) -> bool {
        let lines = self.by_score.get(score);
        lines.is_some_and(|lines| lines.len() >= self.limit)
    }

    pub(super) fn is_full(&self, pattern: &Pattern) -> bool {
        self.limit == 0 || self.has_enough_of_score(pattern.max_score())
    }

    /// Returns the best lines, best first, without the duplicates that two spellings find.
    pub(super) fn best(self) -> Vec<(usize, usize)> {
        let mut best = Vec::new();
        for mut lines in self.by_score.into_iter().rev() {
            lines.sort_unstable();
            for line in lines {
                if !best.contains(&line) {
                    best.push(line);
                }
            }
        }
        best.truncate(self.limit);
        best
    }
}
