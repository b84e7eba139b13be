//! The fields of a log line: `message name=value`. Each value is escaped before the line is coloured.

use std::fmt::{self, Debug};

use timing::text::escaped_field;
use tracing::field::{Field, Visit};
use tracing_subscriber::field::RecordFields;
use tracing_subscriber::fmt::FormatFields;
use tracing_subscriber::fmt::format::Writer;

pub(super) struct EscapedFields;

impl<'line> FormatFields<'line> for EscapedFields {
    fn format_fields<R: RecordFields>(&self, line: Writer<'line>, fields: R) -> fmt::Result {
        let mut values = Values {
            line,
            empty: true,
            written: Ok(()),
        };
        fields.record(&mut values);
        values.written
    }
}

struct Values<'line> {
    line: Writer<'line>,
    empty: bool,
    written: fmt::Result,
}

impl Visit for Values<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // Fields named `log.…` give the source location of a message from the `log` crate.
        if self.written.is_err() || field.name().starts_with("log.") {
            return;
        }
        let blank = if self.empty { "" } else { " " };
        let value = escaped_field(&format!("{value:?}"));
        self.empty = false;
        self.written = match field.name() {
            "message" => write!(self.line, "{blank}{value}"),
            name => write!(self.line, "{blank}{name}={value}"),
        };
    }
}
