//! Videos, sound and embedded posts: their addresses for readers.

use std::borrow::Cow;

use crate::tree::{NodeId, Tag, Tree};
use crate::words::list::words;

/// The text of a link to a video or to sound: a play sign.
pub(crate) const PLAY: &str = "▶";

/// An embedded resource.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Embed<'a> {
    /// The address for people if the host is known; otherwise that of the file.
    pub(crate) target: Cow<'a, str>,
    /// Its title, unless that only names a player.
    pub(crate) title: Option<&'a str>,
}

/// Elements of scripts that show a video, with the attribute that has its id, and the address for people before it.
const CUSTOM: [(&str, &str, &str); 5] = [
    ("lite-youtube", "videoid", "https://www.youtube.com/watch?v="),
    ("youtube-video", "video-id", "https://www.youtube.com/watch?v="),
    ("amp-youtube", "data-videoid", "https://www.youtube.com/watch?v="),
    ("lite-vimeo", "videoid", "https://vimeo.com/"),
    ("amp-vimeo", "data-videoid", "https://vimeo.com/"),
];

/// Words of titles that only name a player.
const PLAYER_WORDS: [&str; 17] = words(
    "youtube vimeo dailymotion spotify soundcloud twitter video audio player embed embedded iframe \
    content post tweet widget play",
);

/// Bytes of a title.
const MAX_TITLE: usize = 200;

/// The title of an element, unless it only names a player.
fn title(tree: &Tree, id: NodeId) -> Option<&str> {
    let title = ["title", "playlabel"].iter().find_map(|name| tree.attr(id, name))?.trim();
    let is_telling =
        title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).any(|word| {
            let word = word.to_lowercase();
            !PLAYER_WORDS.contains(&word.as_str())
        });
    (is_telling && title.len() <= MAX_TITLE).then_some(title)
}

/// Whether an element is there to show something else.
pub(crate) fn is_embed(tree: &Tree, id: NodeId, tag: Tag) -> bool {
    matches!(tag, Tag::Iframe | Tag::Video | Tag::Audio | Tag::Embed)
        || (tag == Tag::Other && CUSTOM.iter().any(|&(name, ..)| tree.name(id) == name))
}

/// Hosts of players with the start of a path to an id, and the address for people before that id.
const PLAYERS: [(&str, &str, &str); 18] = [
    ("youtube.com", "/embed/", "https://www.youtube.com/watch?v="),
    ("youtube-nocookie.com", "/embed/", "https://www.youtube.com/watch?v="),
    ("player.vimeo.com", "/video/", "https://vimeo.com/"),
    ("dailymotion.com", "/embed/video/", "https://www.dailymotion.com/video/"),
    ("open.spotify.com", "/embed/", "https://open.spotify.com/"),
    ("ted.com", "/talks/", "https://www.ted.com/talks/"),
    ("player.bilibili.com", "/video/", "https://www.bilibili.com/video/"),
    ("archive.org", "/embed/", "https://archive.org/details/"),
    ("codepen.io", "/", "https://codepen.io/"),
    ("instagram.com", "/p/", "https://www.instagram.com/p/"),
    ("instagram.com", "/reel/", "https://www.instagram.com/reel/"),
    ("loom.com", "/embed/", "https://www.loom.com/share/"),
    ("streamable.com", "/e/", "https://streamable.com/"),
    ("rumble.com", "/embed/", "https://rumble.com/embed/"),
    ("fast.wistia.net", "/embed/iframe/", "https://fast.wistia.net/embed/iframe/"),
    ("fast.wistia.com", "/embed/iframe/", "https://fast.wistia.net/embed/iframe/"),
    ("embed.podcasts.apple.com", "/", "https://podcasts.apple.com/"),
    ("codesandbox.io", "/embed/", "https://codesandbox.io/s/"),
];

/// Hosts of players with the parameter that has the address for people, and the host of that.
const ADDRESSED: [(&str, &str, &str); 2] =
    [("w.soundcloud.com", "url", "soundcloud.com"), ("facebook.com", "href", "facebook.com")];

/// What an `<iframe>`, `<video>`, `<audio>` or `<embed>` shows; `None` for frames of hosts that are not known.
pub(crate) fn of(tree: &Tree, id: NodeId) -> Option<Embed<'_>> {
    let tag = tree.tag(id);
    if matches!(tag, Tag::Video | Tag::Audio) {
        let source = tree.attr(id, "src").or_else(|| {
            let sources = tree.children(id).filter(|&child| tree.tag(child) == Tag::Source);
            sources.filter_map(|source| tree.attr(source, "src")).next()
        })?;
        let source = source.trim();
        let is_address = !source.is_empty() && !source.starts_with("blob:") && !source.starts_with("data:");
        return is_address.then_some(Embed { target: Cow::Borrowed(source), title: title(tree, id) });
    }
    if tag == Tag::Other {
        let &(_, attribute, address) = CUSTOM.iter().find(|&&(name, ..)| tree.name(id) == name)?;
        let video = tree.attr(id, attribute).map(str::trim).filter(|video| is_id(video))?;
        return Some(Embed { target: Cow::Owned(format!("{address}{video}")), title: title(tree, id) });
    }
    if !matches!(tag, Tag::Iframe | Tag::Embed) {
        return None;
    }
    let late = ["src", "data-src", "data-lazy-src"].iter().filter_map(|name| tree.attr(id, name));
    let target = late.map(str::trim).find_map(player)?;
    Some(Embed { target: Cow::Owned(target), title: title(tree, id) })
}

fn is_id(id: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'/' | b'.');
    !id.is_empty() && id.len() <= 120 && id.bytes().all(is_part)
}

/// The address for people of what a player shows.
fn player(source: &str) -> Option<String> {
    let rest = source.split_once("//").filter(|(scheme, _)| scheme.len() <= 6)?.1;
    let (host, path) = rest.split_at_checked(rest.find('/')?)?;
    let host = host.strip_prefix("www.").unwrap_or(host).to_ascii_lowercase();
    for (known, start, address) in PLAYERS {
        if host != known {
            continue;
        }
        let Some(rest) = path.strip_prefix(start) else { continue };
        let rest = rest.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
        let id = match known {
            "codepen.io" => rest.replacen("/embed/", "/pen/", 1),
            "instagram.com" => rest.split('/').next().unwrap_or_default().to_owned(),
            _ => rest.to_owned(),
        };
        // A list of videos is named by its parameter.
        return (is_id(&id) && id != "videoseries").then(|| format!("{address}{id}"));
    }
    if let Some((_, parameter, of)) = ADDRESSED.iter().find(|(known, ..)| host == *known) {
        let query = path.split_once('?')?.1;
        let address = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == parameter)?.1;
        let address = url::Url::parse(&address).ok().filter(|address| address.scheme() == "https")?;
        let is_of = |host: &str| host.strip_prefix("www.").unwrap_or(host) == *of;
        return address.host_str().is_some_and(is_of).then(|| address.into());
    }
    if host == "platform.twitter.com" {
        let post = source.split_once("id=")?.1;
        let post: String = post.chars().take_while(char::is_ascii_digit).collect();
        return (!post.is_empty()).then(|| format!("https://twitter.com/i/status/{post}"));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_lead_to_where_people_watch() {
        for (html, expected) in [
            (
                "<iframe src='https://www.youtube.com/embed/a-B_9?rel=0' title='YouTube video player'></iframe>",
                Some("https://www.youtube.com/watch?v=a-B_9"),
            ),
            (
                "<iframe data-src='//player.vimeo.com/video/123' title='How ice forms'></iframe>",
                Some("https://vimeo.com/123"),
            ),
            (
                "<iframe src='https://codepen.io/ann/embed/xYz'></iframe>",
                Some("https://codepen.io/ann/pen/xYz"),
            ),
            (
                "<iframe src='https://platform.twitter.com/embed/Tweet.html?id=42&x'></iframe>",
                Some("https://twitter.com/i/status/42"),
            ),
            (
                "<iframe src='https://www.instagram.com/p/Cx_1-a/embed/captioned/'></iframe>",
                Some("https://www.instagram.com/p/Cx_1-a"),
            ),
            (
                "<iframe src='https://www.loom.com/embed/a1b2?sid=3'></iframe>",
                Some("https://www.loom.com/share/a1b2"),
            ),
            (
                "<iframe src='https://embed.podcasts.apple.com/us/podcast/tides/id12?i=3'></iframe>",
                Some("https://podcasts.apple.com/us/podcast/tides/id12"),
            ),
            (
                "<iframe src='https://w.soundcloud.com/player/?color=f50&url=https%3A//soundcloud.com/ann/tide'></iframe>",
                Some("https://soundcloud.com/ann/tide"),
            ),
            ("<iframe src='https://w.soundcloud.com/player/?url=https%3A//evil.example/'></iframe>", None),
            ("<iframe src='https://w.soundcloud.com/player/?url=javascript:x'></iframe>", None),
            ("<iframe src='https://w.soundcloud.com/player/'></iframe>", None),
            ("<video><source src=/a.mp4></video>", Some("/a.mp4")),
            ("<audio src=a.ogg aria-label='A lark'></audio>", Some("a.ogg")),
            ("<video src='blob:x'></video>", None),
            ("<iframe src='https://ads.example/frame'></iframe>", None),
            ("<iframe src='https://www.youtube.com/embed/\"onload=x'></iframe>", None),
        ] {
            let tree = Tree::parse(html);
            let found = tree.descendants(Tree::ROOT).find_map(|id| of(&tree, id));
            assert_eq!(found.as_ref().map(|embed| &*embed.target), expected, "{html}");
        }
    }
}
