//! Word lists for dates, names and parts of pages, in lower case.

/// Words that a byline may start with, in lower case. Longer ones come before those that they start with.
#[rustfmt::skip]
pub(crate) const LEADS: &[&str] = &[
    "written and reviewed by", "originally written by", "article written by",
    "post written by", "contributed by", "published by", "submitted by", "reported by", "authored by",
    "written by", "posted by", "created by", "article by", "words by", "story by", "text by", "post by",
    "guest post by", "started by", "asked by", "author:", "authors:", "author", "byline:",
    "writer:", "posted by:", "by:", "by", "geschrieben von", "verfasst von", "ein beitrag von", "von",
    "autor:", "autorin:", "geschreven door", "door", "auteur:", "écrit par", "publié par", "rédigé par",
    "par", "escrito por", "publicado por", "redactado por", "por", "autora:", "scritto da", "pubblicato da",
    "a cura di", "autore:", "di", "автор:", "автор", "текст:", "опубликовал", "написал", "autor", "napisał",
    "napsal", "napsala", "yazan:", "yazar:", "tác giả:", "tác giả", "bởi", "oleh:", "oleh", "penulis:",
    "írta:", "szerző:", "scris de", "de:", "av:", "av", "skriven av", "συντάκτης:", "του", "af:", "af",
    "skrevet af", "kirjoittaja:", "kirjoittanut", "skrevet av", "tekst:", "بقلم:", "بقلم", "كتب:", "كتبه",
    "كتب", "نویسنده:", "نوشته", "מאת:", "מאת", "作者：", "作者:", "文／", "文/", "撰文：", "记者", "記者", "著者：", "著者:",
    "執筆者：", "執筆：", "執筆:", "ライター：", "글", "लेखक:", "द्वारा", "โดย",
];

/// Words after a name that are not part of it.
#[rustfmt::skip]
pub(crate) const TAILS: &[&str] = &[
    " 기자", " 記者", "記者", "记者", " says", " wrote", " writes", ":", " and Agencies", " and agencies", " & Agencies",
    " & agencies", ", Agencies", ", agencies",
];

/// Words between names.
#[rustfmt::skip]
pub(crate) const JOINS: &[&str] = &[
    " and ", " & ", " with ", " und ", " mit ", " et ", " avec ", " y ", " con ", " и ", " en ", " met ", " och ", " og ", " med ",
    " ve ", " dan ", " i ", " e ", " com ",
];

/// Agencies of one word, and people who are not named, that a list of names may end with, in lower case.
#[rustfmt::skip]
pub(crate) const OTHERS: &[&str] = &[
    "afp", "ani", "ansa", "ap", "bloomberg", "dpa", "efe", "pti", "reuters", "sid", "tass", "upi", "xinhua", "agencies", "agency",
    "others", "staff",
];

/// Agencies that have pictures and no texts, in lower case.
#[rustfmt::skip]
pub(crate) const PICTURES: &[&str] = &[
    "getty images", "shutterstock", "istock", "istockphoto", "alamy", "alamy stock photo", "adobe stock", "dreamstime",
    "depositphotos", "123rf", "unsplash", "pexels", "pixabay", "imago images", "zuma press",
];

/// Days of the week in front of a date, in lower case.
#[rustfmt::skip]
pub(crate) const WEEKDAYS: &[&str] = &[
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "mon", "tue", "tues", "wed", "thu",
    "thur", "thurs", "fri", "sat", "sun",
];

/// Texts in place of a name, in lower case.
#[rustfmt::skip]
pub(crate) const NOBODY: &[&str] = &[
    "admin", "administrator", "author", "authors", "by", "guest", "anonymous", "unknown", "n/a", "none",
    "null", "undefined", "staff", "editor", "user", "web", "webmaster", "website", "root", "team", "home",
    "share", "follow", "about", "blog", "comments", "reply", "written by", "posted by", "about the author",
    "read more", "moderator", "member", "super user", "siteadmin", "wpadmin", "wp admin", "default",
    "system", "test", "marketing", "name", "editorial", "news", "view profile", "profile", "contributor",
    "no author", "log in", "login", "sign in", "sign up", "register", "log in, sign up", "sign in, sign up",
    "my account", "subscribe", "dr", "mr", "mrs", "ms", "prof", "superadmin", "web admin", "site admin",
    "wordpress", "view all posts", "see bio", "more posts", "contact", "agencies", "agency", "others", "staff and agencies",
];

/// First words of other links and buttons, in lower case.
#[rustfmt::skip]
pub(crate) const VERBS: &[&str] = &[
    "log in", "sign ", "start ", "get ", "try ", "explore ", "view ", "read ", "see ", "find ", "write a",
    "articles by", "reviewed by", "medically reviewed", "fact checked", "edited by", "about ", "contact ",
    "follow ", "share ", "join ", "learn ", "more ", "all posts", "posts: ", "download", "advertis",
    "request ", "submit ", "click ", "book a", "buy ", "shop ", "browse ",
];

/// Words of a job that follows a name after a comma, in lower case.
#[rustfmt::skip]
pub(crate) const JOBS: &[&str] = &[
    "editor", "reporter", "journalist", "columnist", "founder", "analyst", "writer", "correspondent",
    "author", "contributor", "strategist", "manager", "specialist", "president", "producer", "ceo", "cto",
    "blogger", "critic", "co-founder", "consultant",
];

/// The last words of companies' and universities' names, in lower case.
#[rustfmt::skip]
pub(crate) const COMPANIES: &[&str] = &[
    "inc", "llc", "ltd", "limited", "corp", "corporation", "company", "co", "gmbh", "ag", "plc", "s.a", "sa", "b.v", "bv",
    "s.r.l", "srl", "s.p.a", "oy", "ab", "as", "university", "college", "foundation", "association", "institute", "council",
    "ministry", "agency", "group", "holdings",
];

#[rustfmt::skip]
pub(crate) const PUBLISHED: &[&str] = &[
    "publish", "posted", "submitted on", "post date", "post time", "written", "created", "date:", "first appeared",
    "originally", "started", "asked", "veröffentlicht", "erstellt", "publié", "mis en ligne", "publicado",
    "publicada", "publicación", "pubblicato", "опубликован", "дата публикации", "опубліковано",
    "gepubliceerd", "geplaatst", "opublikowan", "data publikacji", "yayın", "发布", "發布", "发表", "公開", "投稿",
    "게시", "등록", "입력", "작성", "نشر", "تاريخ النشر", "منتشر", "تاریخ انتشار", "publikován", "vydáno",
    "diterbitkan", "đăng", "publicat", "publicerad", "δημοσι", "udgivet", "offentliggjort", "julkaistu",
    "publisert", "közzé", "megjelen", "פורסם", "प्रकाशित", "เผยแพร่", "публикуван",
];

#[rustfmt::skip]
pub(crate) const MODIFIED: &[&str] = &[
    "updated", "update:", "modified", "edited", "last update", "revised", "reviewed", "last changed",
    "fact checked", "verified", "aktualisiert", "geändert", "zuletzt", "stand:", "mis à jour",
    "mise à jour", "modifié", "actualizad", "atualizad", "modificad", "aggiornat", "modificat", "обновлен",
    "изменен", "оновлено", "bijgewerkt", "gewijzigd", "zaktualizowan", "aktualizacja", "güncelle", "更新",
    "修改", "수정", "업데이트", "تحديث", "به‌روز", "بروزرسانی", "aktualizován", "aktualizace", "diperbarui",
    "cập nhật", "actualizat", "uppdaterad", "ενημ", "opdateret", "päivitetty", "oppdatert", "frissít",
    "עודכן", "अपडेट",
];

#[rustfmt::skip]
pub(crate) const OTHER: &[&str] = &[
    "joined", "founded", "member since", "registered", "registration", "born", "expire", "deadline", "valid until",
    "©", "copyright", "starts", "ends", "event date", "event on", "last visit", "last seen", "last active",
    "last activity", "last post", "last reply", "accessed", "release", "release date:", "since", "until",
    "effective", "retrieved", "arrives", "delivery", "check-in", "check in", "available", "next", "prev",
    "due", "community for",
];

/// Parts of the classes of dates, by what they are the dates of.
#[rustfmt::skip]
pub(crate) const PUBLISHED_CLASSES: &[&str] = &[
    "publish", "entry-date", "created", "post-date", "post_date", "postdate", "posted-on", "posted_on", "pubdate",
];
pub(crate) const MODIFIED_CLASSES: &[&str] =
    &["updated", "modified", "last-update", "lastmod", "revised", "reviewed"];
pub(crate) const OTHER_CLASSES: &[&str] = &["event-date", "joined", "expir", "birth", "tag-is-date"];

/// Words that end a name in a byline, case-sensitive.
#[rustfmt::skip]
pub(crate) const NAME_ENDS: &[&str] = &[
    " on ", " in ", " at ", " for ", " Published", " published", " Updated", " updated", " Last ", " am ",
    " le ", " el ", " em ", " il ", " op ", " | ", " - ", " Posted", " posted", " Reviewed", " reviewed",
    " Medically", " Edited", " edited", " Share", " with ", " Read", " to ",
];

/// Parts of addresses of people's pages.
#[rustfmt::skip]
pub(crate) const PROFILES: &[&str] = &[
    "/author/", "/authors/", "/writer/", "/writers/", "/contributor/", "/contributors/", "/people/",
    "/profile/", "/profiles/", "/staff/", "/user/", "/users/", "/member.php", "/members/", "/u/", "/by/",
    "/team/", "/journalist/", "/autor/", "/auteur/", "/autore/", "/redakteur/", "memberlist.php", "author=",
    "/@",
];

/// Parts of the classes of elements with an author's name.
#[rustfmt::skip]
pub(crate) const AUTHOR_CLASSES: &[&str] = &[
    "author", "byline", "by-line", "writer", "username", "user-name", "posted-by", "postedby",
    "contributor", "creator", "autor", "auteur", "nickname", "poster",
];

/// Parts of the classes of other elements about the author.
#[rustfmt::skip]
pub(crate) const NO_AUTHOR_CLASSES: &[&str] = &[
    "bio", "desc", "about", "title", "role", "job", "social", "position", "image", "img", "avatar", "photo",
    "date", "time", "info-text", "disclaim", "link-more", "follow", "count", "authority", "credential",
    "label", "prefix", "poster-", "excerpt", "company",
];

/// Words that do not occur in a name.
#[rustfmt::skip]
pub(crate) const NO_NAME: &[&str] = &[
    "badges", "comments", "dealer", "followers", "has", "is", "min", "minutes", "more", "our", "owner",
    "posts", "read", "the", "topic", "updated", "views", "was", "your",
];

/// Labels of cards that announce the writer.
#[rustfmt::skip]
pub(crate) const WRITER_LABELS: &[&str] = &[
    "written by", "author", "by", "writer", "posted by", "verfasst von", "écrit par", "escrito por",
    "scritto da", "написано", "geschreven door", "autor", "yazan", "ditulis oleh", "napisane przez",
    "skriven av",
];

/// First words of lines about people other than the author.
#[rustfmt::skip]
pub(crate) const REVIEWERS: &[&str] = &[
    "reviewed by", "medically reviewed", "clinically reviewed", "fact checked", "fact-checked", "edited by", "photo by",
    "photos by", "photograph", "image by", "translated by", "expert review", "technically reviewed", "verified by",
];
