// An article of 100 kB with what is around articles: made, not taken from anywhere.

const WORDS = 'the tea leaves of this garden are picked by hand early in spring when mist still lies between the rows and every basket is carried down to the village before noon where they dry in wide pans over a slow fire while somebody counts the hours aloud'.split(' ');

/** The same page on each call. */
export function page100() {
  let seed = 7;
  const next = (below) => {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return seed % below;
  };
  const sentence = () => {
    const words = Array.from({ length: 8 + next(14) }, () => WORDS[next(WORDS.length)]);
    if (next(5) === 0) words[2] = `<a href="/garden/${next(900)}" class="inline-link">${words[2]}</a>`;
    if (next(7) === 0) words[1] = `<em>${words[1]}</em>`;
    return `${words.join(' ')}.`;
  };
  const parts = ['<!doctype html><html lang="en"><head><title>A year in the garden</title><meta name="author" content="A. Writer"></head><body><nav><ul>'];
  for (let at = 0; at < 40; at++) parts.push(`<li class="menu-item"><a href="/section/${at}">Section ${at}</a></li>`);
  parts.push('</ul></nav><main><article><h1>A year in the garden</h1>');
  for (let at = 1; parts.join('').length < 96_000; at++) {
    if (at % 9 === 1) parts.push(`<h2>Month ${Math.ceil(at / 9)}</h2>`);
    parts.push(`<p>In paragraph ${at}, ${Array.from({ length: 3 + next(3) }, sentence).join(' ')}</p>`);
    if (at % 14 === 0) parts.push(`<ul>${Array.from({ length: 4 }, () => `<li>${sentence()}</li>`).join('')}</ul>`);
    if (at % 20 === 0) parts.push('<div class="related"><h3>Read also</h3><ul><li><a href="/a">Ten gardens</a></li><li><a href="/b">Nine teas</a></li></ul></div>');
  }
  parts.push('</article></main><aside><h3>Newsletter</h3><form><input type="email"></form></aside><footer><p>All rights reserved. <a href="/imprint">Imprint</a></p></footer></body></html>');
  return parts.join('');
}
