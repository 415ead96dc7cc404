//! Style sheets in addresses: `data:` in `<link>` and `@import`.

use cssparser::{Delimiter, ParseError, Parser, Token};
use data_url::DataUrl;

/// The style sheet in an address that holds one.
pub(super) fn sheet(address: &str) -> Option<String> {
    let address = address.trim_ascii();
    let is_data = address.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"));
    let data = DataUrl::process(address).ok().filter(|_| is_data)?;
    let is_css = data.mime_type().matches("text", "css");
    let bytes = is_css.then(|| data.decode_to_vec().ok())??.0;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Hands on the style sheets that another one begins with, each with its media.
pub(super) fn of(text: &str, mut give: impl FnMut(String, String)) {
    let mut parser = Parser::new(text);
    loop {
        let is_import = match parser.next() {
            Ok(Token::AtKeyword(name)) if name.eq_ignore_ascii_case("import") => true,
            Ok(Token::AtKeyword(name))
                if ["charset", "layer"].iter().any(|known| name.eq_ignore_ascii_case(known)) =>
            {
                false
            }
            Ok(Token::CDO | Token::CDC) => continue,
            _ => return,
        };
        let read = parser.parse_until_before(Delimiter::Semicolon | Delimiter::CurlyBracketBlock, |inner| {
            let address = inner.expect_url_or_string().map(|address| address.to_string()).ok();
            let start = inner.position();
            while inner.next().is_ok() {}
            Ok::<_, ParseError<()>>((address, inner.slice_from(start).trim_ascii().to_owned()))
        });
        if !matches!(parser.next(), Ok(Token::Semicolon) | Err(_)) {
            return;
        }
        if is_import
            && let Ok((Some(address), media)) = read
            && let Some(text) = sheet(&address)
        {
            give(text, media);
        }
    }
}
