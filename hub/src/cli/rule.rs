//! `flagfall rule`: the articles of the Laws as the procedures apply them, with the numbers of each rule set; and what may be claimed on a
//! board now.

use laws::{ARTICLES, articles_on, numbers_of};
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
  flagfall rule --board 7      what may be claimed on board 7 now, by whom, and why not

Exit codes: 0 found, 1 no article has this number.")]
pub(super) struct Args {
    /// One JSON object a line: number, text, numbers
    #[arg(long)]
    json: bool,
    /// An article, a whole one such as 7, III or 14H, or words such as double flag; without it, every article
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
            "no article has the number {topic:?}; `flagfall rule` lists every article"
        ));
    }
    for article in found {
        if args.json {
            let numbers = numbers_of(article);
            print(json!({"number": article.number, "text": article.text, "numbers": numbers}))?;
        } else {
            say!("{}  {}", article.number, article.text)?;
            for numbers in numbers_of(article) {
                say!("    {numbers}")?;
            }
        }
    }
    Ok(())
}
