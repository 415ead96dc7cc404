#!/usr/bin/env python3
"""Makes pages with generators that no rule was written for, from the sources in ../generated, and scores an extraction of them.

    generated.py make OUT [GENERATOR...]     pages in OUT/html, expected items in OUT/truth.json
    generated.py score OUT EVALUATE          scores `EVALUATE OUT --markdown` and writes the table of ../generated/README.md

What is expected follows from the sources: pandoc reads each source, what a generator cannot express (`Style.lacks`: notes, formulas,
captions) is taken out, and score.py's own reader lists the items of the rest. None of our code is asked.

--structure is the folder of `score.py`, which OUT gets a copy of, so that OUT is a corpus like the others. Needed are pandoc,
doxygen, hugo, asciidoctor, texinfo, jekyll, jekyll-theme-minima, mediawiki, dokuwiki and php-cli with its sqlite3, xml, intl and
mbstring (Debian), python3-pygments for MediaWiki, PYTHON_PACKAGES (PyPI) and NODE (npm, which this program installs in OUT). A
generator that is not there is passed over and named.
"""
import argparse
import collections
import functools
import hashlib
import gzip
import html
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
SOURCES = HERE.parent / "generated"
PYTHON_PACKAGES = ["sphinx==9.0.4", "furo==2025.12.19", "sphinx-rtd-theme==3.1.0", "pydata-sphinx-theme==0.20.0",
                   "sphinx-book-theme==1.4.0", "sphinx-design==0.8.0", "mkdocs==1.6.1", "mkdocs-material==9.8.2", "pelican==4.10.2",
                   "markdown==3.11.3", "lxml==6.1.3", "markdown-it-py==4.3.0", "mdit-py-plugins==0.7.0"]
NODE = {
    "docusaurus": ["@docusaurus/core@3", "@docusaurus/preset-classic@3", "react@18", "react-dom@18"],
    "vitepress": ["vitepress@1.6.4", "markdown-it-footnote@4", "markdown-it-mathjax3@4"],
    "eleventy": ["@11ty/eleventy@3", "@11ty/eleventy-plugin-syntaxhighlight@5", "markdown-it-footnote@4", "markdown-it-deflist@3"],
    "hexo": ["hexo@8", "hexo-theme-landscape@1", "hexo-theme-next@8", "hexo-renderer-marked", "hexo-renderer-ejs", "hexo-renderer-stylus"],
    "starlight": ["astro@5", "@astrojs/starlight@0.34", "sharp"],
    "honkit": ["honkit@6"],
    "jsdoc": ["jsdoc@4", "typedoc@0.28", "typescript@5"],
    "rspress": ["rspress@1.47.2"],
}
MARKDOWN = ("markdown_strict+pipe_tables+backtick_code_blocks+raw_html+footnotes+definition_lists+tex_math_dollars"
            "+superscript-superscript")


# ------------------------------------------------------------------------------------------------------ sources and what is expected

def run(*command, **options):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, **options)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {(done.stdout + done.stderr)[-1500:]}")
    return done.stdout


@functools.lru_cache(None)
def source(name):
    return run("pandoc", "-f", "markdown-smart", "-t", "json", SOURCES / f"{name}.md")


def text_of(inlines):
    return run("pandoc", "-f", "json", "-t", "plain", "--wrap=none", input=document([{"t": "Plain", "c": inlines}])).strip()


def document(blocks):
    return json.dumps({"pandoc-api-version": API, "meta": {}, "blocks": blocks})


def html_of(blocks):
    """As an author writes it by hand: no colours, languages as HTML's own section on code has them."""
    out = run("pandoc", "-f", "json", "-t", "html5", "--wrap=none", "--mathjax", "--no-highlight", input=document(blocks))
    out = re.sub(r'<pre class="([\w+#-]+)"><code>', r'<pre><code class="language-\1">', out)
    return out.replace(' aria-hidden="true"', "").replace(' class="docutils"', "")


class Style:
    """How a generator writes what Markdown has no sign for. `lacks`: what it cannot express at all; `unsure`: kinds that are not scored,
    since it rewrites them (DokuWiki fetches images from an address of its own)."""

    def __init__(self, to, raw, lacks="", figure="html", terms="native", note=None, tabs=None, unsure=()):
        self.to, self.raw, self.lacks, self.figure, self.terms = to, raw, lacks.split(), figure, terms
        self.note, self.tabs, self.unsure = note, tabs, list(unsure)

    def write(self, blocks):
        options = ["--markdown-headings=atx"] if self.to.startswith("markdown") else []
        return run("pandoc", "-f", "json", "-t", self.to, "--wrap=none", *options, input=document(blocks))


def figure_of(block):
    """Image and caption, if a paragraph is an image alone."""
    if block["t"] == "Para" and len(block["c"]) == 1 and block["c"][0]["t"] == "Image":
        _, caption, (src, _) = block["c"][0]["c"]
        return src, caption
    return None


def without_notes(value):
    if isinstance(value, list):
        return [without_notes(v) for v in value if not (isinstance(v, dict) and v.get("t") == "Note")]
    return {k: without_notes(v) for k, v in value.items()} if isinstance(value, dict) else value


def reduced(blocks, style):
    """The source without what the generator cannot express."""
    if "notes" in style.lacks:
        blocks = without_notes(blocks)
    out = []
    for block in blocks:
        if figure_of(block) and "images" in style.lacks or block["t"] == "DefinitionList" and "terms" in style.lacks:
            continue
        if block["t"] == "DefinitionList" and style.terms == "html":
            block = without_notes(block)
        if block["t"] == "Div":
            block = {"t": "Div", "c": [block["c"][0], reduced(block["c"][1], style)]}
        out.append(block)
    return out


def expressed(blocks, style):
    """The source with the generator's own signs as raw text."""
    out = []
    for block in blocks:
        figure = figure_of(block)
        if figure and style.figure == "html":
            src, caption = figure
            caption = html.escape(text_of(caption))
            out.append({"t": "RawBlock", "c": [style.raw, f'<figure><img src="{src}" alt="" /><figcaption>{caption}</figcaption></figure>']})
        elif figure and style.figure == "asciidoc":
            src, caption = figure
            out.append({"t": "RawBlock", "c": [style.raw, f".{text_of(caption)}\nimage::{src}[]\n"]})
        elif figure and style.figure == "image":
            src, caption = figure
            out.append({"t": "RawBlock", "c": [style.raw, f"![{text_of(caption)}]({src})"]})
        elif block["t"] == "DefinitionList" and style.terms == "html":
            out.append({"t": "RawBlock", "c": [style.raw, html_of([block])]})
        elif block["t"] == "Div" and "tabs" in block["c"][0][1]:
            panels = [(dict(div["c"][0][2])["title"], expressed(div["c"][1], style)) for div in block["c"][1]]
            if style.tabs:
                text = style.tabs([(title, style.write(inner)) for title, inner in panels])
                out.append({"t": "RawBlock", "c": [style.raw, text]})
            else:
                for title, inner in panels:
                    out += [{"t": "Para", "c": [{"t": "Strong", "c": [{"t": "Str", "c": title}]}]}, *inner]
        elif block["t"] == "CodeBlock" and not block["c"][0][1] and style.to == MARKDOWN:
            out.append({"t": "CodeBlock", "c": [["", ["text"], []], block["c"][1]]})      # or pandoc indents it, which MDX does not read
        elif block["t"] == "Div":
            kind, inner = block["c"][0][1][0], expressed(block["c"][1], style)
            if style.note:
                out.append({"t": "RawBlock", "c": [style.raw, style.note(kind, style.write(inner))]})
            else:
                out.append({"t": "BlockQuote", "c": inner})
        else:
            out.append(block)
    return out


def scorer(folder):
    spec = importlib.util.spec_from_file_location("score", pathlib.Path(folder) / "score.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def flat(blocks):
    out = []
    for block in blocks:
        out += flat(block["c"][1]) if block["t"] == "Div" else [block]
    return out


def expected(score, blocks, style, url, titles):
    import lxml.html
    tree = lxml.html.fragment_fromstring(html_of(flat(blocks)), create_parent="div")
    notes = {}
    for section in tree.xpath('//section[contains(@class,"footnotes")]'):
        for item in section.iter("li"):
            notes[item.get("id")[2:]] = re.sub(r"\s*↩︎?\s*$", "", " ".join(item.text_content().split()))
        section.drop_tree()
    for link in tree.xpath('//a[contains(@class,"footnote-ref")]'):
        mark = lxml.html.Element("x-ref", n=link.get("href")[3:])
        mark.tail = link.tail
        link.getparent().replace(link, mark)
    for formula in tree.xpath('//span[contains(@class,"math")]'):
        formula.tag = "x-math"
        formula.set("display", str(int("display" in formula.get("class"))))
        formula.text = formula.text.strip()[2:-2]
    if "captions" in style.lacks or style.figure == "image":
        for caption in tree.xpath("//figcaption"):
            caption.getprevious().set("alt", caption.text_content())
            caption.drop_tree()
    items = score.items_of_html(lxml.html.tostring(tree, encoding="unicode"), url)
    quotes, optional = list(items.quote), []
    for block in blocks:                                    # the text of a box may come as a quote
        if block["t"] == "Div" and "tabs" not in block["c"][0][1]:
            optional.append(" ".join(score.items_of_html(html_of(block["c"][1]), url).blocks))
    refs = collections.defaultdict(list)
    for label, before in items.refs:
        refs[label].append(before)
    want = dict(heading=items.heading, list=items.list, definition=items.definition, table=items.table, code=items.code,
                inline_code=items.inline_code, image=[dict(src=[s], alt=a) for s, a in items.image], link=items.link, quote=quotes,
                caption=items.caption,
                footnote=[dict(text=text, refs=refs[label]) for label, text in notes.items()],
                math=[dict(tex=tex, display=display, exact=True) for tex, display in items.math])
    for kind in style.lacks:
        want.pop(dict(terms="definition", languages="", notes="footnote", images="image", captions="caption").get(kind, kind), None)
    codes = [[None, text] for _, text in items.code] if "languages" in style.lacks else items.code
    want["code"] = codes
    return dict(url=url, title=titles, items={k: v for k, v in want.items() if v}, blocks=items.blocks,
                open=style.unsure,
                optional=dict(heading=[[1, t] for t in titles], quote=optional, link=[[titles[0], url.replace("/docs/", "/")]]))


# --------------------------------------------------------------------------------------------------------------- generators

def indented(text, by):
    return "\n".join(" " * by + line if line else "" for line in text.rstrip().split("\n"))


def fenced(kind, text):
    return f":::{kind}\n\n{text.rstrip()}\n\n:::"


RST = Style("rst", "rst", figure="native",
            note=lambda kind, text: f".. {kind}::\n\n{indented(text, 3)}",
            tabs=lambda panels: ".. tab-set::\n\n" + "\n\n".join(f"   .. tab-item:: {t}\n\n{indented(x, 6)}" for t, x in panels))
MKDOCS = Style(MARKDOWN, "markdown", note=lambda kind, text: f"!!! {kind}\n\n{indented(text, 4)}",
               tabs=lambda panels: "\n\n".join(f'=== "{t}"\n\n{indented(x, 4)}' for t, x in panels))
MKDOCS_PLAIN = Style(MARKDOWN, "markdown", note=MKDOCS.note)
MDX_TABS = (lambda panels: "<Tabs>\n" + "\n".join(f'<TabItem value="{t}" label="{t}">\n\n{x.rstrip()}\n\n</TabItem>' for t, x in panels)
            + "\n</Tabs>")
MDX = Style(MARKDOWN, "markdown", terms="html", lacks="math", note=fenced, tabs=MDX_TABS)
STARLIGHT = Style(MARKDOWN, "markdown", terms="html", lacks="math", note=lambda k, t: fenced(dict(warning="caution").get(k, k), t),
                  tabs=MDX_TABS)
RSPRESS = Style(MARKDOWN, "markdown", terms="html", lacks="math", note=fenced)
VITEPRESS = Style(MARKDOWN, "markdown", terms="html", note=lambda k, t: fenced(" " + dict(note="info").get(k, k), t))
PLAIN = Style(MARKDOWN, "markdown", terms="html", lacks="math")
NO_NOTES = Style(MARKDOWN, "markdown", terms="html", lacks="math notes")
IMAGES = Style(MARKDOWN, "markdown", terms="html", lacks="math notes captions", figure="image")
ADOC = Style("asciidoc", "asciidoc", figure="asciidoc", note=lambda k, t: f"[{k.upper()}]\n====\n{t.rstrip()}\n====\n")
NATIVE = Style("html5", "html", figure="native")
NATIVE_PLAIN = Style("html5", "html", figure="native", lacks="math")
TEXINFO = Style("texinfo", "texinfo", figure="native", lacks="images captions languages math")
WIKI = Style("mediawiki", "mediawiki", figure="native", lacks="images captions math")
DOKU = Style("dokuwiki", "dokuwiki", figure="native", lacks="captions math terms", note=lambda k, t: t, unsure=["image"])
DOXYGEN = Style(MARKDOWN, "markdown", terms="html", lacks="math notes languages captions", figure="image")


class Work:
    """A folder for one generator's run, with the sources written in its style."""

    def __init__(self, root, name, style):
        self.root, self.name, self.style = root / "work" / name, name, style
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir(parents=True)
        self.docs = {}
        for path in sorted(SOURCES.glob("*.md")):
            if path.stem == "README" or ("math" in style.lacks and path.stem == "maths"):
                continue
            parsed = json.loads(source(path.stem))
            blocks = reduced(parsed["blocks"], style)
            title = text_of(parsed["meta"]["title"]["c"])
            self.docs[path.stem] = (title, text_of(parsed["meta"]["lang"]["c"]), blocks, expressed(blocks, style))

    def put(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def sources(self, form, pattern):
        for name, (title, lang, _, blocks) in self.docs.items():
            self.put(pattern.format(name), form(title, lang, self.style.write(blocks)))

    def node(self, package, *command, **options):
        """The generator in its folder of packages: its own look-ups start at the folder it runs in."""
        folder = self.root.parents[1] / "npm" / package
        if not (folder / "node_modules").exists():
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "package.json").write_text('{"private":true,"type":"module"}')
            run("npm", "install", "--silent", "--no-audit", "--no-fund", *NODE[package], cwd=folder)
        (self.root / "node_modules").symlink_to(folder / "node_modules")
        if not (self.root / "package.json").exists():
            self.put("package.json", '{"private":true,"type":"module"}')
        return run(*command, cwd=self.root, env={**os.environ, "ASTRO_TELEMETRY_DISABLED": "1", "CI": "1"}, timeout=400, **options)

    def pages(self, pattern):
        return {name: (self.root / pattern.format(name)).read_bytes() for name in self.docs if (self.root / pattern.format(name)).exists()}


def front(title, lang, text, more=""):
    return f"---\ntitle: {json.dumps(title, ensure_ascii=False)}\n{more}---\n\n{text}"


def headed(title, lang, text):
    return f"# {title}\n\n{text}"


def sphinx(theme):
    def make(work):
        work.sources(lambda title, lang, text: f"{title}\n{'=' * 2 * len(title)}\n\n{text}", "{}.rst")
        work.put("index.rst", "Handbook\n========\n\n.. toctree::\n\n" + "".join(f"   {name}\n" for name in work.docs))
        work.put("conf.py", f"project = 'Handbook'\nauthor = 'The authors'\nhtml_theme = {theme!r}\n"
                 "extensions = ['sphinx.ext.mathjax', 'sphinx_design']\nhtml_show_sourcelink = True\n")
        run(sys.executable, "-m", "sphinx", "-q", "-b", "html", work.root, work.root / "out")
        return work.pages("out/{}.html")
    return make


def mkdocs(theme):
    def make(work):
        work.sources(headed, "docs/{}.md")
        work.put("docs/index.md", "# Handbook\n\nStart with the tutorial.\n")
        work.put("mkdocs.yml", f"site_name: Handbook\nrepo_url: https://code.example.org/handbook\ntheme: {{name: {theme}}}\n"
                 "markdown_extensions:\n  - tables\n  - footnotes\n  - def_list\n  - admonition\n  - toc: {permalink: true}\n"
                 + "  - pymdownx.superfences\n  - pymdownx.arithmatex: {generic: true}\n"
                 + ("  - pymdownx.highlight: {pygments_lang_class: true}\n  - pymdownx.tabbed: {alternate_style: true}\n"
                    if theme == "material" else "  - pymdownx.highlight: {use_pygments: false}\n"))
        run(sys.executable, "-m", "mkdocs", "build", "-q", "-d", "out", cwd=work.root)
        return work.pages("out/{}/index.html")
    return make


def rustdoc(work):
    work.sources(headed, "{}.md")
    work.put("lib.rs", "//! Handbook.\n" + "".join(f'#[doc = include_str!("{name}.md")]\npub mod {name} {{}}\n' for name in work.docs))
    run("rustdoc", "--crate-name", "handbook", "lib.rs", "-o", "out", cwd=work.root)
    return work.pages("out/handbook/{}/index.html")


def doxygen(work):
    work.sources(lambda title, lang, text: f"# {title} {{#{title_id(title)}}}\n\n{text}", "{}.md")
    work.put("Doxyfile", "PROJECT_NAME=Handbook\nINPUT=.\nFILE_PATTERNS=*.md\nGENERATE_LATEX=NO\nQUIET=YES\nGENERATE_TREEVIEW=YES\nWARNINGS=NO\n")
    run("doxygen", cwd=work.root)
    return {name: (work.root / f"html/{title_id(title)}.html").read_bytes() for name, (title, *_) in work.docs.items()
            if (work.root / f"html/{title_id(title)}.html").exists()}


def title_id(title):
    return "p" + hashlib.sha256(title.encode()).hexdigest()[:8]


def javadoc(work):
    for name, (title, lang, _, blocks) in work.docs.items():
        work.put(f"src/handbook/doc-files/{name}.html", f'<!DOCTYPE html>\n<html lang="{lang}"><head><title>{title}</title></head><body>\n'
                 f"<h1>{title}</h1>\n{html_of(blocks)}\n</body></html>")
    work.put("src/handbook/package-info.java", "/** Handbook. */\npackage handbook;\n")
    work.put("src/handbook/Station.java", "package handbook;\n/** A station. */\npublic class Station {}\n")
    run("javadoc", "-quiet", "-Xdoclint:none", "-d", "out", "-sourcepath", "src", "handbook", cwd=work.root)
    return work.pages("out/handbook/doc-files/{}.html")


def docusaurus(work):
    imports = "import Tabs from '@theme/Tabs';\nimport TabItem from '@theme/TabItem';\n\n"
    work.sources(lambda title, lang, text: front(title, lang, (imports if "<Tabs>" in text else "") + text), "docs/{}.mdx")
    work.put("docusaurus.config.js", "export default {title:'Handbook',url:'https://docusaurus.example',baseUrl:'/',onBrokenLinks:'ignore',"
             "presets:[['classic',{docs:{routeBasePath:'docs',editUrl:'https://code.example.org/edit/'},blog:false,theme:{}}]],"
             "themeConfig:{prism:{additionalLanguages:['java','php','ruby','perl','powershell','toml','ini','bash','rust']},"
             "navbar:{title:'Handbook',items:[{to:'/docs/tutorial',label:'Docs'}]},footer:{copyright:'Copyright The authors'}}};")
    work.put("src/pages/index.md", "# Handbook\n")
    work.put("package.json", '{"private":true}')
    work.node("docusaurus", "npx", "docusaurus", "build")
    return work.pages("build/docs/{}/index.html")


def vitepress(work):
    work.sources(lambda title, lang, text: front(title, lang, f"# {title}\n\n{text}"), "{}.md")
    work.put("index.md", "# Handbook\n")
    links = json.dumps([dict(text=title, link=f"/{name}") for name, (title, *_) in work.docs.items()])
    work.put(".vitepress/config.mjs", "import footnote from 'markdown-it-footnote';\nexport default {title:'Handbook',ignoreDeadLinks:true,"
             "markdown:{math:true,config:md=>md.use(footnote)},themeConfig:{sidebar:" + links +
             ",editLink:{pattern:'https://code.example.org/edit/:path'}}};")
    work.node("vitepress", "npx", "vitepress", "build")
    return work.pages(".vitepress/dist/{}.html")


def starlight(work):
    imports = "import { Tabs, TabItem } from '@astrojs/starlight/components';\n\n"
    work.sources(lambda title, lang, text: front(title, lang, (imports if "<Tabs>" in text else "") + text), "src/content/docs/{}.mdx")
    work.put("src/content/docs/index.md", "---\ntitle: Handbook\n---\nStart.\n")
    work.put("src/content.config.ts", "import { defineCollection } from 'astro:content';\nimport { docsLoader } from '@astrojs/starlight/loaders';\n"
             "import { docsSchema } from '@astrojs/starlight/schema';\n"
             "export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };\n")
    work.put("astro.config.mjs", "import { defineConfig } from 'astro/config';\nimport starlight from '@astrojs/starlight';\n"
             "export default defineConfig({ integrations: [starlight({ title: 'Handbook', pagefind: false })] });\n")
    work.node("starlight", "npx", "astro", "build")
    return work.pages("dist/{}/index.html")


def rspress(work):
    work.sources(lambda title, lang, text: f"# {title}\n\n{text}", "docs/{}.mdx")
    work.put("docs/index.md", "# Handbook\n")
    work.put("rspress.config.ts", "import { defineConfig } from 'rspress/config';\nexport default defineConfig({ root: 'docs', title: 'Handbook' });\n")
    work.node("rspress", "npx", "rspress", "build")
    return work.pages("doc_build/{}.html")


def hugo(no_classes):
    def make(work):
        work.sources(lambda title, lang, text: front(title, lang, text, "date: 2026-03-01\n"), "content/posts/{}.md")
        work.put("config.toml", "baseURL='https://hugo.example/'\ntitle='Handbook'\n[markup.goldmark.renderer]\nunsafe=true\n"
                 f"[markup.highlight]\nnoClasses={no_classes}\nlineNos={no_classes}\n")
        work.put("layouts/_default/baseof.html", '<!DOCTYPE html><html lang="en"><head><title>{{ .Title }} | {{ site.Title }}</title></head><body>'
                 '<header><a href="/">{{ site.Title }}</a><nav><a href="/posts/">Posts</a></nav></header><main>{{ block "main" . }}{{ end }}</main>'
                 '<footer>&copy; 2026 The authors</footer></body></html>')
        work.put("layouts/_default/single.html", '{{ define "main" }}<article><h1>{{ .Title }}</h1><time datetime="{{ .Date.Format "2006-01-02" }}">'
                 '{{ .Date.Format "2 January 2006" }}</time>{{ .TableOfContents }}{{ .Content }}</article>'
                 '{{ with .PrevInSection }}<a href="{{ .Permalink }}">{{ .Title }}</a>{{ end }}{{ end }}')
        work.put("layouts/_default/list.html", '{{ define "main" }}{{ range .Pages }}<a href="{{ .Permalink }}">{{ .Title }}</a>{{ end }}{{ end }}')
        run("hugo", "--quiet", cwd=work.root)
        return work.pages("public/posts/{}/index.html")
    return make


def jekyll(work):
    work.sources(lambda title, lang, text: front(title, lang, "{% raw %}" + text + "{% endraw %}", "layout: post\n"), "_posts/2026-03-01-{}.md")
    work.put("_config.yml", "title: Handbook\ntheme: minima\npermalink: /:title/\n")
    run("jekyll", "build", "-q", cwd=work.root)
    return work.pages("_site/{}/index.html")


def pelican(theme):
    def make(work):
        work.sources(lambda title, lang, text: f"Title: {title}\nDate: 2026-03-01\nSlug: {{}}\n\n{text}", "content/{}.md")
        for name in work.docs:
            path = work.root / f"content/{name}.md"
            path.write_text(path.read_text().replace("Slug: {}", f"Slug: {name}", 1))
        work.put("conf.py", f"SITENAME='Handbook'\nAUTHOR='Ann Lee'\nTHEME={theme!r}\nTIMEZONE='UTC'\n"
                 "MARKDOWN={'extension_configs':{'pymdownx.superfences':{},'markdown.extensions.tables':{},'markdown.extensions.footnotes':{},"
                 "'markdown.extensions.def_list':{},'markdown.extensions.meta':{}}}\n")
        run(sys.executable, "-m", "pelican", "content", "-o", "out", "-s", "conf.py", cwd=work.root)
        return work.pages("out/{}.html")
    return make


def eleventy(work):
    work.sources(lambda title, lang, text: front(title, lang, text, "layout: base.njk\n"), "{}.md")
    work.put("_includes/base.njk", '<!doctype html><html><head><title>{{ title }}</title></head><body><header><a href="/">Handbook</a><nav><ul>'
             '<li><a href="/">Home</a></li><li><a href="/blog/">Archive</a></li></ul></nav></header><main id="skip"><h1>{{ title }}</h1>'
             '{{ content | safe }}</main><footer>Made with Eleventy</footer></body></html>')
    work.put("eleventy.config.js", "import prism from '@11ty/eleventy-plugin-syntaxhighlight';\nimport notes from 'markdown-it-footnote';\n"
             "import terms from 'markdown-it-deflist';\nexport default c => { c.addPlugin(prism); c.setTemplateFormats(['md']); "
             "c.amendLibrary('md', m => m.use(notes).use(terms)); return { markdownTemplateEngine: false }; };\n")
    work.node("eleventy", "npx", "eleventy", "--quiet")
    return work.pages("_site/{}/index.html")


def hexo(theme):
    def make(work):
        work.sources(lambda title, lang, text: front(title, lang, text, "date: 2026-03-01\ntags: [a]\n"), "source/_posts/{}.md")
        work.put("_config.yml", f"title: Handbook\nauthor: Ann Lee\nurl: https://hexo.example\npermalink: :name/\ntheme: {theme}\n"
                 "syntax_highlighter: highlight.js\nhighlight: {line_number: true, wrap: true, hljs: false}\nnunjucks: false\n")
        packages = {p: "*" for p in ("hexo", "hexo-theme-landscape", "hexo-theme-next", "hexo-renderer-marked", "hexo-renderer-ejs",
                                     "hexo-renderer-stylus")}
        work.put("package.json", json.dumps(dict(private=True, hexo=dict(version="8"), dependencies=packages)))
        work.node("hexo", "npx", "hexo", "generate", "--silent")
        return work.pages("public/{}/index.html")
    return make


def asciidoctor(highlighter):
    def make(work):
        head = f":source-highlighter: {highlighter}\n:stem: latexmath\n:toc: left\n:figure-caption!:\n"
        work.sources(lambda title, lang, text: f"= {title}\nAnn Lee\n{head}\n{text}", "{}.adoc")
        run("asciidoctor", *[work.root / f"{name}.adoc" for name in work.docs])
        return work.pages("{}.html")
    return make


def pandoc(*options):
    def make(work):
        for name, (title, lang, _, blocks) in work.docs.items():
            text = json.dumps({"pandoc-api-version": API, "meta": {"title": {"t": "MetaString", "c": title}, "lang": {"t": "MetaString", "c": lang}},
                               "blocks": blocks})
            run("pandoc", "-f", "json", "-s", "--toc", *options, "-o", work.root / f"{name}.html", input=text)
        return work.pages("{}.html")
    return make


def texinfo(work):
    for name, (title, lang, _, blocks) in work.docs.items():
        text = run("pandoc", "-f", "json", "-t", "texinfo", "-s", "--shift-heading-level-by=-1", input=json.dumps(
            {"pandoc-api-version": API, "meta": {"title": {"t": "MetaString", "c": title}}, "blocks": blocks}))
        work.put(f"{name}.texi", text)
        run("makeinfo", "--html", "--no-split", "--force", "-c", "NUMBER_SECTIONS=0", "-o", f"{name}.html", f"{name}.texi", cwd=work.root)
    return work.pages("{}.html")


def served(root, port, paths):
    """Pages of a PHP site."""
    server = subprocess.Popen(["php", "-S", f"127.0.0.1:{port}", "-t", root], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        time.sleep(2)
        out = {}
        for name, path in paths.items():
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=60) as answer:
                out[name] = answer.read()
        return out
    finally:
        server.terminate()
        server.wait()


def mediawiki(skin):
    def make(work):
        site = work.root / "site"
        shutil.copytree("/usr/share/mediawiki", site, symlinks=False, ignore_dangling_symlinks=True)
        (work.root / "data").mkdir()
        (site / "LocalSettings.php").unlink(missing_ok=True)
        run("php", site / "maintenance/install.php", "--dbtype", "sqlite", "--dbpath", work.root / "data", "--server", "http://127.0.0.1:8095",
            "--scriptpath", "", "--pass", "long-enough-password", "--confpath", site, "Handbook", "Admin", cwd=site)
        with open(site / "LocalSettings.php", "a") as settings:
            settings.write(f'\nwfLoadSkin("MonoBook");wfLoadSkin("Vector");wfLoadSkin("Timeless");$wgDefaultSkin={skin!r};'
                           'wfLoadExtension("Cite");wfLoadExtension("SyntaxHighlight_GeSHi");$wgPygmentizePath="/usr/bin/pygmentize";\n')
        paths = {}
        for name, (title, lang, _, blocks) in work.docs.items():
            text = work.style.write(blocks).replace("<references />", "")
            text = re.sub(r"\A(.*?<ref>.*)\Z", r"\1\n<references />\n", text, flags=re.S)
            work.put(f"texts/{title}.wiki", text)
            paths[name] = "index.php?title=" + urllib.request.quote(title)
        for path in sorted((work.root / "texts").iterdir()):
            run("php", site / "maintenance/edit.php", "-u", "Admin", path.stem, input=path.read_text(), cwd=site)
        return served(site, 8095, paths)
    return make


def dokuwiki(work):
    site = work.root / "site"
    shutil.copytree("/usr/share/dokuwiki", site, symlinks=False, ignore_dangling_symlinks=True)
    data = work.root / "data"
    for folder in ("pages", "attic", "media", "media_attic", "media_meta", "meta", "cache", "index", "locks", "tmp", "log"):
        (data / folder).mkdir(parents=True)
    shutil.rmtree(site / "conf", ignore_errors=True)
    shutil.copytree("/etc/dokuwiki", site / "conf", ignore_dangling_symlinks=True)
    (site / "conf/local.php").write_text(f"<?php\n$conf['title']='Handbook';$conf['useacl']=0;$conf['savedir']='{data}';$conf['updatecheck']=0;"
                                         "$conf['fetchsize']=0;\n")
    (site / "conf/local.protected.php").unlink(missing_ok=True)
    (site / "inc/preload.php").write_text(f"<?php define('DOKU_CONF', '{site}/conf/');\n")
    for name, (title, lang, _, blocks) in work.docs.items():
        (data / f"pages/{name}.txt").write_text(f"====== {title} ======\n\n{work.style.write(blocks)}")
    return served(site, 8096, {name: f"doku.php?id={name}" for name in work.docs})


def honkit(work):
    work.sources(headed, "{}.md")
    work.put("README.md", "# Handbook\n")
    work.put("SUMMARY.md", "# Summary\n\n" + "".join(f"* [{title}]({name}.md)\n" for name, (title, *_) in work.docs.items()))
    work.node("honkit", "npx", "honkit", "build", ".", "out")
    return work.pages("out/{}.html")


def typedoc(work):
    work.sources(lambda title, lang, text: front(title, lang, f"# {title}\n\n{text}"), "docs/{}.md")
    work.put("index.ts", "/** Changes since a day. */\nexport function changes(since: string): string[] { return [since]; }\n")
    work.put("typedoc.json", json.dumps(dict(entryPoints=["index.ts"], projectDocuments=["docs/*.md"], out="out", name="Handbook",
                                             highlightLanguages=["typescript", "javascript", "bash", "python", "yaml", "json", "rust", "go", "c", "cpp",
                                                                 "java", "ruby", "php", "perl", "sql", "html", "ini", "toml", "powershell"])))
    work.put("tsconfig.json", '{"compilerOptions":{"target":"es2022"},"files":["index.ts"]}')
    work.node("jsdoc", "npx", "typedoc", "--skipErrorChecking")
    found = {}
    for path in (work.root / "out/documents").glob("*.html"):
        text = path.read_text()
        for name, (title, *_) in work.docs.items():
            if f"<h1>{title}</h1>" in text or f"<title>{html.escape(title)} |" in text or f'>{html.escape(title)}</h1>' in text:
                found[name] = path.read_bytes()
    return found


def jsdoc(work):
    work.sources(lambda title, lang, text: text, "tutorials/{}.md")
    work.put("tutorials/tutorials.json", json.dumps({name: dict(title=title) for name, (title, *_) in work.docs.items()}))
    work.put("index.js", "/** Changes since a day. */\nfunction changes(since) { return [since]; }\n")
    work.put("package.json", '{"private":true}')
    work.node("jsdoc", "npx", "jsdoc", "-u", "tutorials", "-d", "out", "index.js")
    return work.pages("out/tutorial-{}.html")


GENERATORS = {
    "sphinx-alabaster": (RST, sphinx("alabaster")), "sphinx-furo": (RST, sphinx("furo")), "sphinx-rtd": (RST, sphinx("sphinx_rtd_theme")),
    "sphinx-pydata": (RST, sphinx("pydata_sphinx_theme")), "sphinx-book": (RST, sphinx("sphinx_book_theme")),
    "mkdocs": (MKDOCS_PLAIN, mkdocs("mkdocs")), "mkdocs-readthedocs": (MKDOCS_PLAIN, mkdocs("readthedocs")),
    "mkdocs-material": (MKDOCS, mkdocs("material")),
    "rustdoc": (PLAIN, rustdoc), "doxygen": (DOXYGEN, doxygen), "javadoc": (NATIVE_PLAIN, javadoc),
    "docusaurus": (MDX, docusaurus), "vitepress": (VITEPRESS, vitepress), "starlight": (STARLIGHT, starlight), "rspress": (RSPRESS, rspress),
    "hugo-classes": (PLAIN, hugo("false")), "hugo-numbers": (PLAIN, hugo("true")), "jekyll-minima": (PLAIN, jekyll),
    "pelican-notmyidea": (PELICAN := Style(MARKDOWN, "markdown", lacks="math languages"), pelican("notmyidea")),
    "pelican-simple": (PELICAN, pelican("simple")),
    "eleventy": (Style(MARKDOWN, "markdown", lacks="math"), eleventy), "hexo-landscape": (NO_NOTES, hexo("landscape")),
    "hexo-next": (IMAGES, hexo("next")),
    "asciidoctor-rouge": (ADOC, asciidoctor("rouge")), "asciidoctor-hljs": (ADOC, asciidoctor("highlight.js")),
    "pandoc-mathjax": (NATIVE, pandoc("--mathjax")), "pandoc-mathml": (NATIVE, pandoc("--mathml", "--no-highlight")),
    "texinfo": (TEXINFO, texinfo), "mediawiki-vector": (WIKI, mediawiki("vector-2022")), "mediawiki-monobook": (WIKI, mediawiki("monobook")),
    "dokuwiki": (DOKU, dokuwiki), "honkit": (NO_NOTES, honkit), "typedoc": (NO_NOTES, typedoc), "jsdoc": (NO_NOTES, jsdoc),
}


def make(out, names, score):
    truth_file = out / "truth.json"
    truth = json.loads(truth_file.read_text()) if truth_file.exists() else {}
    (out / "html").mkdir(parents=True, exist_ok=True)
    missing = []
    for name in names or GENERATORS:
        style, maker = GENERATORS[name]
        truth = {k: v for k, v in truth.items() if v["source"] != name}
        try:
            work = Work(out, name, style)
            pages = maker(work)
        except Exception as error:
            missing.append(name)
            print(f"{name}: not made: {error}", file=sys.stderr)
            continue
        for doc, page in pages.items():
            title, lang, blocks, _ = work.docs[doc]
            url = f"https://{name}.example/docs/{doc}.html"
            truth[f"{name}-{doc}"] = dict(source=name, **expected(score, blocks, style, url, [title, "Handbook", f"{title} | Handbook", f"Tutorial: {title}"]))
            (out / f"html/{name}-{doc}.html.gz").write_bytes(gzip.compress(page, 6, mtime=0))
        print(name, len(pages), "of", len(work.docs), flush=True)
    truth_file.write_text(json.dumps(truth, ensure_ascii=False))
    print(len(truth), "pages", f"without {', '.join(missing)}" if missing else "")


def table(out, evaluate, score):
    """Figures of each generator: items found, and of code that has a language the share whose language is right."""
    truth = json.loads((out / "truth.json").read_text())
    found = {line["id"]: line["markdown"] for line in map(json.loads, run(evaluate, out, "--markdown").splitlines())}
    kinds = list(score.KINDS)
    rows = []
    for name in [*sorted({page["source"] for page in truth.values()}), None]:
        pages = {k: v for k, v in truth.items() if name in (None, v["source"])}
        result, _ = score.total(pages, found)
        cells = [f"{v['f1']:.3f}" if v["pages"] else "" for v in (result["kinds"][kind] for kind in kinds)]
        language = result["kinds"]["code"]["side"].get("language")
        cells.insert(kinds.index("code") + 1, "" if language is None else f"{language:.3f}")
        rows.append(f"| {name or 'all'} | {len(pages)} | " + " | ".join(cells) + f" | {result['overall']:.4f} |")
    kinds.insert(kinds.index("code") + 1, "language")
    head = ["| generator | pages | " + " | ".join(kinds).replace("_", " ") + " | overall |", "|---" * (len(kinds) + 3) + "|"]
    readme = SOURCES / "README.md"
    before = readme.read_text().split("| generator |")[0]
    readme.write_text(before + "\n".join([*head, *rows]) + "\n")
    print(rows[-1])


def main():
    global API
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("make", "score"))
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("rest", nargs="*")
    parser.add_argument("--structure", default=HERE.parents[2] / "shared/corpora/structure")
    options = parser.parse_intermixed_args()
    score = scorer(options.structure)
    if options.what == "make":
        API = json.loads(source("tutorial"))["pandoc-api-version"]
        make(options.out.resolve(), options.rest, score)
        shutil.copy(pathlib.Path(options.structure) / "score.py", options.out)
    else:
        table(options.out, options.rest[0], score)


if __name__ == "__main__":
    main()
