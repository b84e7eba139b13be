//! `flagfall rule`: prints the articles of the Laws as the program applies them, with each rule set's numbers, or the claims on a board.

use laws::{ARTICLES, articles_on, figures_of};
use serde_json::json;

use super::client::HubOptions;
use super::ctl::laws as ctl_laws;
use super::output::{Result, failed, init_messages, print, say};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  flagfall rule 7              illegal moves, reversed colours
  flagfall rule 9.3
  flagfall rule 14H            claims of insufficient losing chances, old and new text
  flagfall rule triple block
  flagfall rule --board 7      the claims on board 7 now: who may make each, or why not

Exit codes: 0 found, 1 no article has this number.")]
pub(super) struct Args {
    /// Print one JSON object per line: number, text, numbers
    #[arg(long)]
    json: bool,
    /// An article, a whole chapter such as 7, III or 14H, or words such as "double flag" [default: every article]
    #[arg(conflicts_with = "board")]
    topic: Vec<String>,
    /// Show what may be claimed on this board now, like `flagfall ctl claims`
    #[arg(long)]
    board: Option<String>,
    #[command(flatten)]
    hub: HubOptions,
}

pub(super) fn run(args: &Args) -> Result<()> {
    if let Some(board) = &args.board {
        init_messages("warn");
        let shown = ctl_laws::claims(&args.hub, board.clone(), args.json);
        return super::serve::runtime()?.block_on(shown);
    }
    let topic = args.topic.join(" ");
    let found = match &args.topic[..] {
        [] => ARTICLES.iter().collect(),
        _ => articles_on(&topic),
    };
    if found.is_empty() {
        return Err(failed!(
            "no article matches {topic:?}; `flagfall rule` lists every article"
        ));
    }
    for article in found {
        if args.json {
            let numbers = figures_of(article);
            print(json!({"number": article.number, "text": article.text, "numbers": numbers}))?;
        } else {
            say!("{}  {}", article.number, article.text)?;
            for numbers in figures_of(article) {
                say!("    {numbers}")?;
            }
        }
    }
    Ok(())
}
