//! What programs that use the published crates can see: checked against the listings in
//! `data/public-api`, so that no version breaks them unnoticed.
//!
//! The listings are read from the pages that rustdoc writes, which know what is exported, and where.

use std::fs;
use std::path::{Path, PathBuf};

use crate::Failure;
use crate::shell::{self, cargo, root, target};

/// The published crates as programs name them.
const CRATES: [&str; 6] = ["chess", "atomic_file", "memory", "nnue", "engine", "review"];

/// Writes the documentation and compares it with the listings; `bless` writes them again.
pub(crate) fn run(bless: bool) -> Result<(), Failure> {
    let mut doc = cargo(&["doc", "--workspace", "--no-deps"]);
    doc.env("RUSTDOCFLAGS", "-D warnings");
    shell::run(doc)?;
    if bless { write() } else { check() }
}

/// Compares the documentation, which must have been written, with the listings.
pub(crate) fn check() -> Result<(), Failure> {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        println!("skipped: the listings are those of Linux on x86-64");
        return Ok(());
    }
    let mut changes = String::new();
    for name in CRATES {
        let file = listing(name);
        let known =
            fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        changes.push_str(&difference(&known, &read(name)?));
    }
    if changes.is_empty() {
        return Ok(());
    }
    Err(format!(
        "{changes}\nThe public API has changed. A line that went (-) breaks programs that use the crate: the next \
         version begins with a higher number. `cargo xtask public-api --bless` accepts the change."
    ))
}

fn write() -> Result<(), Failure> {
    for name in CRATES {
        let file = listing(name);
        fs::write(&file, read(name)?).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}

fn listing(name: &str) -> PathBuf {
    root().join(format!("data/public-api/{name}.txt"))
}

/// The lines that only one of two listings has.
fn difference(known: &str, found: &str) -> String {
    let only = |mark: char, here: &str, there: &str| -> String {
        let there: std::collections::HashSet<&str> = there.lines().collect();
        let lines = here.lines().filter(|line| !there.contains(line));
        lines.map(|line| format!("{mark} {line}\n")).collect()
    };
    only('-', known, found) + &only('+', found, known)
}

/// The public items of a crate, one declaration or member on a line, in the order of their paths.
fn read(name: &str) -> Result<String, Failure> {
    let folder = target().join("doc").join(name);
    let page = |path: &Path| {
        fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
    };
    let all = page(&folder.join("all.html"))?;
    let mut lines = Vec::new();
    for link in between(&all, "<a href=\"", "\"").filter(|link| is_item(link)) {
        let path = path(name, link);
        lines.extend(
            items(&page(&folder.join(link))?).into_iter().map(|item| format!("{path}: {item}")),
        );
    }
    lines.sort();
    lines.dedup();
    Ok(lines.join("\n") + "\n")
}

/// Whether a link of the page of all items leads to one, as in `search/struct.Limits.html`.
fn is_item(link: &str) -> bool {
    let file = link.rsplit('/').next().unwrap_or_default();
    !link.starts_with("..") && file.ends_with(".html") && file.matches('.').count() == 2
}

/// The path of an item by the name of its page.
fn path(name: &str, link: &str) -> String {
    let (modules, file) = link.rsplit_once('/').unwrap_or(("", link));
    let item = file.split('.').nth(1).unwrap_or_default();
    let modules = modules.split('/').filter(|module| !module.is_empty());
    [name].into_iter().chain(modules).chain([item]).collect::<Vec<_>>().join("::")
}

/// The declaration of an item, its methods and the traits it implements.
fn items(page: &str) -> Vec<String> {
    // What follows for every type, whatever it is, says nothing of this one.
    let page = page.split("id=\"synthetic-implementations\"").next().unwrap_or_default();
    let (own, traits) = page.split_once("id=\"trait-implementations\"").unwrap_or((page, ""));
    // Methods of slices and their like are the standard library's.
    let own = own.split("id=\"deref-methods").next().unwrap_or_default();
    let mut items: Vec<String> =
        between(own, "<pre class=\"rust item-decl\"><code>", "</code></pre>").map(text).collect();
    if items.first().is_some_and(|declaration| declaration.contains("trait ")) {
        return items;
    }
    items.extend(between(own, "<h4 class=\"code-header\">", "</h4>").map(text));
    let traits = between(traits, "<h3 class=\"code-header\">", "</h3>").map(text);
    // The compiler's own mark on what `derive(PartialEq)` made.
    items.extend(traits.filter(|line| !line.contains("StructuralPartialEq")));
    items
}

/// What stands between two marks, again and again.
pub(crate) fn between<'a>(
    text: &'a str,
    start: &'a str,
    end: &'a str,
) -> impl Iterator<Item = &'a str> {
    text.split(start).skip(1).filter_map(move |rest| Some(rest.split_once(end)?.0))
}

/// A piece of a page as it is read: without tags, on one line.
fn text(html: &str) -> String {
    let mut plain = String::new();
    for (index, part) in html.split('<').enumerate() {
        // Before the first `<` there is no tag.
        plain.push_str(if index == 0 {
            part
        } else {
            part.split_once('>').map_or("", |(_, rest)| rest)
        });
    }
    let entities = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ];
    let plain = entities.iter().fold(plain, |text, (entity, letter)| text.replace(entity, letter));
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r##"<pre class="rust item-decl"><code>pub struct Limits {
    pub depth: <a href="#">Option</a>&lt;<a class="primitive">u32</a>&gt;,
}</code></pre><h4 class="code-header">pub fn <a>depth</a>(n: u32) -&gt; Self</h4>
<h2 id="deref-methods-%5BT%5D">Deref</h2><h4 class="code-header">pub fn len(&amp;self)</h4>
<h2 id="trait-implementations">Trait</h2><h3 class="code-header">impl Clone for Limits</h3>
<h4 class="code-header">fn clone(&amp;self)</h4>
<h2 id="synthetic-implementations">Auto</h2><h3 class="code-header">impl Send for Limits</h3>"##;

    #[test]
    fn a_page_is_read_as_declaration_methods_and_traits() {
        let expected = [
            "pub struct Limits { pub depth: Option<u32>, }",
            "pub fn depth(n: u32) -> Self",
            "impl Clone for Limits",
        ];
        assert_eq!(items(PAGE), expected);
        assert!(
            is_item("search/struct.Limits.html")
                && !is_item("index.html")
                && !is_item("../x/fn.y.html")
        );
        assert_eq!(path("engine", "search/struct.Limits.html"), "engine::search::Limits");
        assert_eq!(path("engine", "fn.material.html"), "engine::material");
    }

    #[test]
    fn what_went_and_what_came_is_told() {
        assert_eq!(difference("a\nb\n", "b\nc\n"), "- a\n+ c\n");
        assert_eq!(difference("a\n", "a\n"), "");
    }
}
