// Parts of a page's markup, found in one pass: a link may hold a page that nobody would write.

/** The markup without its `<style>` elements; of one that nobody closes, nothing goes. */
export function withoutStyles(html) {
  const [open, close] = [/<style\b/gi, /<\/style\s*>/gi];
  let [bare, from] = ['', 0];
  for (let found = open.exec(html); found; found = open.exec(html)) {
    close.lastIndex = found.index;
    // Where this one has no end, none behind it has one.
    if (!close.exec(html)) break;
    bare += html.slice(from, found.index);
    open.lastIndex = from = close.lastIndex;
  }
  return bare + html.slice(from);
}

/** The markup that may state a date, a description, keywords or an address; to parse all of a long page would hold up the keys. */
export function stated(html) {
  const [starts, close] = [/<(?:meta|link|time|(script))\b/gi, /<\/script>/gi];
  const pieces = [];
  for (let found = starts.exec(html); found; found = starts.exec(html)) {
    let end = html.indexOf('>', found.index) + 1;
    if (found[1]) {
      close.lastIndex = found.index;
      end = close.exec(html) ? close.lastIndex : 0;
    }
    if (end === 0) break;
    pieces.push(html.slice(found.index, end));
    starts.lastIndex = end;
  }
  return pieces.join('');
}
