//! The weight of single candidates, and which of several wins.

use super::*;
use crate::meta::date_text::DayOrder;

use AuthorKind as A;
use DateKind as D;
use MetadataSource as S;
use Role::{Created, Modified, Published};

fn day(value: &str) -> PageDate {
    PageDate::of_value(value, DayOrder::DayFirst).unwrap()
}

/// A date in March 2024, or with a time on it: `05T10:00Z`.
fn march(value: &str) -> PageDate {
    day(&format!("2024-03-{value}"))
}

fn of_dates(dates: &[(&str, Role, DateKind)]) -> Candidates {
    let mut all = Candidates::default();
    for &(value, role, kind) in dates {
        all.date(march(value), role, kind, S::Text);
    }
    all
}

/// The date and its weight in thousandths.
fn shown(found: Option<Found<PageDate>>) -> Option<(String, i32)> {
    found.map(|found| {
        let date = found.value.to_string();
        (date.trim_start_matches("2024-03-").to_owned(), (found.confidence * 1000.0).round() as i32)
    })
}

fn published(dates: &[(&str, Role, DateKind)]) -> Option<(String, i32)> {
    shown(of_dates(dates).published())
}

fn the_fifth(weight: i32) -> Option<(String, i32)> {
    Some(("05".to_owned(), weight))
}

fn time(distance: u16, labelled: bool) -> DateKind {
    line(distance, labelled, true)
}

fn line(distance: u16, labelled: bool, alone: bool) -> DateKind {
    D::Line { distance, labelled, alone }
}

#[test]
fn a_date_alone_is_worth_what_its_place_is() {
    for (kind, weight) in [
        (D::LinkedArticle, 820),
        (D::LinkedThread, 950),
        (D::OpenGraph, 860),
        (D::Property, 800),
        (D::Meta, 800),
        (D::Loose, 500),
        (D::Address, 850),
        (D::Before { labelled: true, is_next: false }, 800),
        (D::Before { labelled: false, is_next: false }, 600),
        (D::TimeFar { labelled: true }, 520),
        (D::Before { labelled: false, is_next: true }, 860),
        (D::Before { labelled: true, is_next: true }, 860),
        (D::First, 960),
        (D::TextFar, 520),
        (D::Dateline, 700),
        (time(0, true), 930),
        (line(0, true, false), 750),
        (line(0, false, false), 550),
        // The further from the title the less.
        (time(0, false), 900),
        (time(6, false), 900),
        (time(7, false), 837),
        (time(8, false), 837),
        (time(9, false), 720),
        (time(14, false), 720),
        (time(15, false), 558),
        (time(25, false), 558),
    ] {
        assert_eq!(published(&[("05", Published, kind)]), the_fifth(weight), "{kind:?}");
    }
    // Too little to be the date.
    for kind in [D::LinkedPage, D::LinkedWork, D::TimeFar { labelled: false }, time(26, true)] {
        assert_eq!(published(&[("05", Published, kind)]), None, "{kind:?}");
    }
    // A date of creation is a little less sure.
    assert_eq!(published(&[("05", Created, D::LinkedArticle)]), the_fifth(738));
    assert_eq!(published(&[("05", Created, D::Loose)]), None);
}

#[test]
fn witnesses_of_different_groups_make_a_day_surer() {
    let with_address = |kind| published(&[("05", Published, D::Address), ("05", Published, kind)]);
    for (kind, weight) in [
        (D::LinkedPage, 895),
        (D::LinkedWork, 880),
        (D::TimeFar { labelled: false }, 865),
        (time(30, true), 920),
        (D::OpenGraph, 979),
        (time(0, false), 985),
        (D::TextFar, 928),
        // Never more than this.
        (time(0, true), 990),
    ] {
        assert_eq!(with_address(kind), the_fifth(weight), "{kind:?}");
    }
    // What one program wrote, and what one reader sees, is one witness.
    for (first, second, weight) in [
        (D::LinkedArticle, D::OpenGraph, 860),
        (D::Property, D::Meta, 800),
        (time(0, false), line(0, false, false), 900),
        (D::Before { labelled: false, is_next: false }, D::Before { labelled: true, is_next: false }, 800),
        (D::TimeFar { labelled: true }, D::Dateline, 700),
        (time(9, false), time(0, false), 900),
        (time(0, false), time(9, false), 900),
    ] {
        let found = published(&[("05", Published, first), ("05", Published, second)]);
        assert_eq!(found, the_fifth(weight), "{first:?} {second:?}");
    }
    let three =
        [("05", Published, D::OpenGraph), ("05", Published, D::Address), ("05", Published, time(0, true))];
    assert_eq!(published(&three), the_fifth(990));
}

#[test]
fn the_surest_day_wins_and_of_two_the_first() {
    let two = |first, second| published(&[("05", Published, first), ("07", Published, second)]).unwrap().0;
    assert_eq!(two(D::OpenGraph, D::LinkedArticle), "05");
    assert_eq!(two(D::LinkedArticle, D::OpenGraph), "07");
    assert_eq!(two(D::Property, D::Meta), "05");
    assert_eq!(two(D::Meta, D::Property), "05");
    // Of days that programs declare the earlier, of those that readers see the one that stands first.
    let late_first =
        |first, second| published(&[("07", Published, first), ("05", Published, second)]).unwrap().0;
    assert_eq!(late_first(D::Property, D::Meta), "05");
    assert_eq!(late_first(time(0, false), time(2, false)), "07");
    assert_eq!(late_first(D::Property, D::Before { labelled: true, is_next: false }), "07");
    assert_eq!(late_first(D::Before { labelled: true, is_next: false }, D::Property), "07");
}

#[test]
fn the_most_exact_of_a_days_dates_is_told_with_the_source_of_the_surest() {
    let mut all = Candidates::default();
    all.date(march("05"), Published, D::OpenGraph, S::OpenGraph);
    all.date(march("05T10:00"), Published, D::LinkedArticle, S::JsonLd);
    all.date(march("05T10:00+02:00"), Published, D::Property, S::Microdata);
    all.date(march("05"), Published, D::Meta, S::Meta);
    let found = all.published().unwrap();
    assert_eq!((found.value.to_string().as_str(), found.source), ("2024-03-05T10:00:00+02:00", S::OpenGraph));
}

#[test]
fn a_page_with_only_the_day_of_its_change_was_published_then() {
    let near = |kind| published(&[("05", Modified, kind)]);
    assert_eq!(near(time(0, true)), the_fifth(558));
    assert_eq!(near(time(12, true)), the_fifth(446));
    assert_eq!(near(time(13, true)), None);
    assert_eq!(near(D::Before { labelled: true, is_next: false }), the_fifth(480));
    assert_eq!(near(D::Before { labelled: false, is_next: false }), None);
    // Not what programs say, and what stands far away.
    for kind in [D::OpenGraph, D::LinkedArticle, D::Address, D::TimeFar { labelled: true }, D::TextFar] {
        assert_eq!(near(kind), None, "{kind:?}");
    }
    // Of two days the surer, of three none.
    let days = |count: usize| {
        let all = [
            ("05", Modified, time(0, true)),
            ("07", Modified, time(0, false)),
            ("08", Modified, time(0, false)),
        ];
        published(&all[..count])
    };
    assert_eq!(days(2), the_fifth(558));
    assert_eq!(days(3), None);
}

#[test]
fn a_change_is_not_before_the_publication() {
    let dates = [("05", Modified, D::OpenGraph), ("09", Modified, D::LinkedPage)];
    let after = |published: &str| {
        let published = Found::new(march(published), S::Text, 0.9);
        shown(of_dates(&dates).modified(Some(&published)))
    };
    assert_eq!(after("04"), the_fifth(860));
    assert_eq!(after("05T23:00Z"), the_fifth(860));
    assert_eq!(after("06"), None);
    assert_eq!(shown(of_dates(&dates).modified(None)), the_fifth(860));
    // Less is asked of it than of the date of publication.
    assert_eq!(shown(of_dates(&[("05", Modified, time(26, false))]).modified(None)), the_fifth(450));
    assert_eq!(shown(of_dates(&[("05", Modified, D::LinkedPage)]).modified(None)), None);
    assert_eq!(shown(of_dates(&[("05", Published, D::OpenGraph)]).modified(None)), None);
}

#[test]
fn a_shown_day_that_is_declared_as_the_change_is_not_the_publication() {
    let shown = ("07", Published, time(0, true));
    let changed = ("07", Modified, D::OpenGraph);
    let first = ("05", Published, D::LinkedArticle);
    let of = |dates: &[_]| published(dates).unwrap().0;
    assert_eq!(of(&[shown, changed, first]), "05");
    assert_eq!(of(&[shown, first]), "07");
    assert_eq!(of(&[shown, changed]), "07");
    assert_eq!(of(&[shown, changed, first, ("07", Published, D::OpenGraph)]), "07");
    // Only the declarations that programs write for the page as a whole count.
    assert_eq!(of(&[shown, ("07", Modified, D::Property), first]), "07");
    assert_eq!(of(&[shown, ("07", Modified, D::LinkedArticle), first]), "05");
}

#[test]
fn the_day_that_a_reader_sees_is_the_publishers() {
    let of = |declared: &str, seen: &[(&str, u16)]| {
        let mut dates = vec![(declared, Published, D::OpenGraph)];
        dates.extend(seen.iter().map(|&(day, distance)| (day, Published, line(distance, false, false))));
        published(&dates).unwrap().0
    };
    assert_eq!(of("06T02:00:00Z", &[("05", 0)]), "05");
    assert_eq!(of("06T02:00:00", &[("05", 0)]), "05");
    assert_eq!(of("05T23:00:00Z", &[("06", 0)]), "06");
    assert_eq!(of("06T02:00:00Z", &[("05", 16)]), "05");
    assert_eq!(of("06T02:00:00Z", &[("05", 17)]), "06T02:00:00Z");
    // Another zone, no time, more than a day between them, the same day as well.
    assert_eq!(of("06T02:00:00+01:00", &[("05", 0)]), "06T02:00:00+01:00");
    assert_eq!(of("06", &[("05", 0)]), "06");
    assert_eq!(of("06T02:00:00Z", &[("04", 0)]), "06T02:00:00Z");
    assert_eq!(of("06T02:00:00Z", &[("05", 0), ("06", 0)]), "06T02:00:00Z");
    // A line far below is not the publisher's word.
    let far = [("06T02:00:00Z", Published, D::OpenGraph), ("05", Published, D::TextFar)];
    assert_eq!(published(&far).unwrap().0, "06T02:00:00Z");
    let before = [
        ("06T02:00:00Z", Published, D::OpenGraph),
        ("05", Published, D::Before { labelled: true, is_next: false }),
    ];
    assert_eq!(published(&before).unwrap().0, "06T02:00:00Z");
}

#[test]
fn dates_of_a_list_of_pages_are_not_the_pages() {
    let of = |days: &[&str], kind: DateKind| {
        published(&days.iter().map(|&day| (day, Published, kind)).collect::<Vec<_>>()).map(|found| found.0)
    };
    let first = Some("09".to_owned());
    let kind = time(0, false);
    assert_eq!(of(&["09", "08", "07"], kind), first);
    assert_eq!(of(&["09", "08", "07", "06"], kind), None);
    assert_eq!(of(&["09", "09", "08", "07", "07"], kind), first);
    assert_eq!(of(&["09", "08", "07", "06", "07"], kind), None);
    assert_eq!(of(&["09", "08", "07", "06", "07", "08"], kind), first);
    assert_eq!(of(&["09", "10", "11", "12"], kind), first);
    assert_eq!(of(&["09", "08", "07", "06"], D::Before { labelled: true, is_next: false }), first);
    assert_eq!(of(&["09", "08", "07", "06"], line(0, true, false)), first);
    // Days of changes are no list, and what is declared of a list is the list's.
    let mut dates = vec![("09", Published, time(0, false)), ("08", Published, time(0, false))];
    dates.extend([("07", Modified, time(0, false)), ("06", Published, time(0, false))]);
    assert_eq!(published(&dates).unwrap().0, "09");
    dates.extend([("05", Published, time(0, false)), ("01", Published, D::OpenGraph)]);
    assert_eq!(published(&dates).unwrap().0, "01");
    // Nor does it have a date by way of its change.
    let far = ["09", "08", "07", "06"].map(|day| (day, Published, D::TimeFar { labelled: true }));
    assert_eq!(published(&far), None);
    let near = [("05", Modified, time(0, true))];
    assert_eq!(published(&[&far[..], &near].concat()), None);
}

#[test]
fn beside_something_on_sale_a_date_must_be_near_the_title() {
    let of = |is_article: bool, kind: DateKind| {
        let mut all = of_dates(&[("05", Published, kind)]);
        (all.is_product, all.is_article) = (true, is_article);
        all.published().is_some()
    };
    assert!(of(false, time(0, true)));
    assert!(!of(false, D::OpenGraph));
    assert!(of(true, D::OpenGraph));
    // What is known and does not count leaves no room for the day of the change.
    let mut all = of_dates(&[("05", Published, D::OpenGraph), ("05", Modified, time(0, true))]);
    all.is_product = true;
    assert_eq!(shown(all.published()), None);
}

#[test]
fn texts_in_place_of_dates_are_kept_for_documents() {
    let of = |texts: &[(&str, Role, DateKind)]| {
        let mut all = Candidates::default();
        texts.iter().for_each(|&(text, role, kind)| all.unread_date(text, role, kind));
        all.unread
    };
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(of(&[(" soon  or later ", Published, D::OpenGraph)]), [some("soon or later"), None]);
    assert_eq!(of(&[("soon", Modified, D::OpenGraph)]), [None, some("soon")]);
    assert_eq!(
        of(&[("soon", Published, D::OpenGraph), ("later", Published, D::OpenGraph)]),
        [some("soon"), None]
    );
    assert_eq!(of(&[("soon", Published, D::Meta), (" ", Published, D::OpenGraph)]), [None, None]);
    let (long, longer) = ("a".repeat(200), "a".repeat(201));
    assert_eq!(of(&[(&long, Published, D::OpenGraph)]), [Some(long.clone()), None]);
    assert_eq!(of(&[(&longer, Published, D::OpenGraph)]), [None, None]);
}

#[test]
fn of_values_of_several_ranks_the_first_counts() {
    for (offers, expected) in [
        (&[(1, "Tea"), (0, "Green tea")][..], Some(("Green tea", 900))),
        (&[(0, "Green tea"), (1, "Tea")], Some(("Green tea", 900))),
        (&[(1, "Green  tea"), (1, "Tea")], Some(("Green tea", 800))),
        (&[(2, "Tea")], Some(("Tea", 700))),
        (&[(0, " "), (2, "Tea")], Some(("Tea", 700))),
        (&[], None),
    ] {
        let mut all = Ranked::default();
        offers.iter().for_each(|&(rank, value)| all.offer(rank, value, S::Meta));
        let found = all.take().map(|it| (it.value, (it.confidence * 1000.0).round() as i32));
        assert_eq!(found.as_ref().map(|(value, weight)| (value.as_str(), *weight)), expected);
    }
    for (length, kept) in [(2000, true), (2001, false)] {
        let mut all = Ranked::default();
        all.offer(0, &"a".repeat(length), S::Meta);
        assert_eq!(all.take().is_some(), kept, "{length}");
    }
}

#[test]
fn plain_keywords_come_before_all_others() {
    let of = |lists: &[(&str, bool)], tags: &[&str], late: &[(&str, bool)]| {
        let mut all = Candidates::default();
        lists.iter().for_each(|&(value, is_plain)| all.keywords_of(value, is_plain));
        tags.iter().for_each(|tag| all.tag(tag));
        late.iter().for_each(|&(value, is_plain)| all.keywords_of(value, is_plain));
        all.keywords.join("/")
    };
    assert_eq!(of(&[("a, b ,, c、d，e", true)], &[], &[]), "a/b/c/d/e");
    assert_eq!(of(&[("a", true), ("b", true)], &["c"], &[("d", false)]), "a");
    assert_eq!(of(&[("a", false), ("b", false)], &[], &[]), "a");
    assert_eq!(of(&[("a", false), ("b", true)], &[], &[]), "b");
    assert_eq!(of(&[(" , ", true)], &[" a  b ", "", "c"], &[]), "a b/c");
    assert_eq!(of(&[], &["a"], &[("b", false)]), "a");
    assert_eq!(of(&[], &["a"], &[("b", true)]), "b");
    let many: Vec<&str> = vec!["a"; 301];
    assert_eq!(of(&[], &many, &[]).split('/').count(), 300);
}

fn of_authors(authors: &[(&str, AuthorKind)]) -> Candidates {
    let mut all = Candidates::default();
    for &(names, kind) in authors {
        let names: Vec<String> =
            names.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        all.author(&names, kind, S::Text);
    }
    all
}

/// The names and their weight in thousandths.
fn chosen(all: &Candidates) -> Option<(String, i32)> {
    let found = all.authors(Some("Green Tea"), "www.black-tea.com");
    let names: Vec<&str> = found.iter().map(|it| it.value.as_str()).collect();
    found.first().map(|it| (names.join("/"), (it.confidence * 1000.0).round() as i32))
}

fn jane(weight: i32) -> Option<(String, i32)> {
    Some(("Jane Doe".to_owned(), weight))
}

fn relation(distance: u16) -> AuthorKind {
    A::Shown { way: Way::Relation, distance, is_before: false }
}

fn byline(distance: u16) -> AuthorKind {
    A::Shown { way: Way::Byline, distance, is_before: false }
}

#[test]
fn an_author_alone_is_worth_what_the_place_is() {
    for (kind, weight) in [
        (A::Linked, 830),
        (A::LinkedPage, 500),
        (A::Meta, 600),
        (A::OpenGraph, 600),
        (A::Card, 700),
        (A::Cited, 900),
        (A::DublinCore, 500),
        (A::Property, 800),
        (A::Far, 450),
        (A::Shown { way: Way::Below, distance: 0, is_before: false }, 750),
        (A::Shown { way: Way::Target, distance: 0, is_before: false }, 800),
        (A::Shown { way: Way::Class, distance: 0, is_before: false }, 840),
        (A::Shown { way: Way::Class, distance: 0, is_before: true }, 504),
        (byline(0), 880),
        (A::Shown { way: Way::Byline, distance: 0, is_before: true }, 528),
        (relation(0), 880),
        (relation(1), 862),
        (relation(4), 810),
        (relation(5), 774),
        (relation(8), 774),
        (relation(9), 616),
        (relation(14), 616),
    ] {
        assert_eq!(chosen(&of_authors(&[("Jane Doe", kind)])), jane(weight), "{kind:?}");
    }
    for kind in [relation(15), A::LinkedGroup, A::Shown { way: Way::Target, distance: 9, is_before: true }] {
        assert_eq!(chosen(&of_authors(&[("Jane Doe", kind)])), None, "{kind:?}");
    }
    assert_eq!(chosen(&of_authors(&[("", A::Linked)])), None);
}

#[test]
fn of_several_authors_the_surest_wins_and_surer_where_both_worlds_agree() {
    let john = ("John Roe", A::Meta);
    assert_eq!(chosen(&of_authors(&[john, ("Jane Doe", byline(0))])), jane(880));
    assert_eq!(chosen(&of_authors(&[("Jane Doe", A::OpenGraph), john])), jane(600));
    assert_eq!(chosen(&of_authors(&[("Jane Doe", A::Meta), ("Jane Doe", byline(0))])), jane(952));
    assert_eq!(chosen(&of_authors(&[("Jane Doe", A::Meta), ("Jane Doe", A::Linked)])), jane(830));
    assert_eq!(chosen(&of_authors(&[("Jane Doe", relation(3)), ("Jane Doe", byline(0))])), jane(880));
}

#[test]
fn the_site_is_hardly_its_own_author() {
    let of = |name: &str, kind| chosen(&of_authors(&[(name, kind)])).map(|found| found.1);
    assert_eq!(of("Green Tea", A::Meta), Some(460));
    assert_eq!(of("Black Tea", A::Meta), Some(460));
    assert_eq!(of("Blac", A::Meta), Some(460));
    assert_eq!(of("Bla", A::Meta), Some(600));
    assert_eq!(of("Tea Black", A::Meta), Some(600));
    assert_eq!(of("Green Tea", A::Far), Some(450));
    assert_eq!(of("Green Tea", byline(0)), Some(460));
}

#[test]
fn an_unlikely_name_needs_a_sure_place() {
    let of = |names: &str, kind| chosen(&of_authors(&[(names, kind)])).map(|found| found.1);
    assert_eq!(of("jane", byline(0)), Some(660));
    assert_eq!(of("Jane Doe/jane", byline(0)), Some(660));
    assert_eq!(of("jane", A::Meta), Some(600));
    assert_eq!(of("jane", A::Far), None);
}

#[test]
fn a_company_is_the_author_where_readers_are_told_so() {
    let of = |authors: &[_]| chosen(&of_authors(authors)).map(|found| found.0);
    let declared = ("Leaf Company", A::Meta);
    assert_eq!(of(&[declared]), None);
    assert_eq!(of(&[("Leaf Company/Jane Doe", A::Meta)]).as_deref(), Some("Leaf Company/Jane Doe"));
    assert_eq!(of(&[("Leaf Company", byline(0))]).as_deref(), Some("Leaf Company"));
    assert_eq!(of(&[declared, ("Leaf Company", A::Far)]).as_deref(), Some("Leaf Company"));
    assert_eq!(of(&[declared, ("Jane Doe", A::DublinCore)]).as_deref(), Some("Jane Doe"));
    assert_eq!(of(&[("Jane Doe", A::LinkedGroup), ("John Roe", A::DublinCore)]).as_deref(), Some("John Roe"));
}

#[test]
fn authors_of_other_things_do_not_count() {
    // A reviewer's box beside something on sale.
    for (is_product, is_article, expected) in
        [(true, false, None), (true, true, jane(450)), (false, false, jane(450))]
    {
        let mut all = of_authors(&[("Jane Doe", A::Far)]);
        (all.is_product, all.is_article) = (is_product, is_article);
        assert_eq!(chosen(&all), expected);
    }
    // The writers of a list of pages: all but those that are declared.
    let mut list = of_authors(&[("Jane Doe", byline(0))]);
    let days = ["09", "08", "07", "06"];
    days.iter().for_each(|day| list.date(march(day), Published, time(0, false), S::Text));
    assert_eq!(chosen(&list), None);
    list.author(&["Jane Doe".to_owned()], A::DublinCore, S::Meta);
    assert_eq!(chosen(&list), jane(800));
    // Four names far below the title are those of four pages.
    let names = ["Jane Doe", "John Roe", "Ann Poe", "Joe Low"];
    let far = |distance: u16, count: usize| {
        let all: Vec<_> = names[..count].iter().map(|&name| (name, byline(distance))).collect();
        chosen(&of_authors(&all))
    };
    assert_eq!(far(10, 3), jane(616));
    assert_eq!(far(10, 4), None);
    assert_eq!(far(9, 4), jane(616));
    // What stands above a name is not one of them.
    let above = [
        ("Jane Doe", byline(12)),
        ("John Roe", byline(11)),
        ("Ann Poe", byline(12)),
        ("Joe Low", byline(13)),
    ];
    assert_eq!(chosen(&of_authors(&above)), jane(616));
    // Neither is a box below, or a second mention.
    let twice = [
        ("Jane Doe", byline(10)),
        ("John Roe", byline(10)),
        ("Ann Poe", byline(10)),
        ("Ann Poe", relation(10)),
    ];
    assert_eq!(chosen(&of_authors(&twice)), jane(616));
    let with_box =
        [("Jane Doe", byline(10)), ("John Roe", byline(10)), ("Ann Poe", byline(10)), ("Joe Low", A::Far)];
    assert_eq!(chosen(&of_authors(&with_box)), jane(616));
}

#[test]
fn a_name_is_spelled_as_it_is_declared_without_the_job() {
    let of = |shown: &str, declared: &str| {
        let all = of_authors(&[(shown, byline(0)), (declared, A::Meta)]);
        chosen(&all).map(|found| found.0)
    };
    assert_eq!(of("Jane Doe, Editor", "Jane Doe").as_deref(), Some("Jane Doe"));
    assert_eq!(of("Jane Doe Editor", "Jane Doe").as_deref(), Some("Jane Doe"));
    assert_eq!(of("Jane Doering", "Jane Doe").as_deref(), Some("Jane Doering"));
    assert_eq!(of("Jane Doe", "Jane Doe").as_deref(), Some("Jane Doe"));
    // Not by what another line shows.
    let lines = [("Jane Doe, Editor", byline(0)), ("Jane Doe", byline(3))];
    assert_eq!(chosen(&of_authors(&lines)).map(|found| found.0).as_deref(), Some("Jane Doe, Editor"));
    // Of up to twenty names.
    for (count, expected) in [(20, "Jane Doe"), (21, "Jane Doe, Editor")] {
        let mut names = vec!["Jane Doe, Editor".to_owned()];
        names.extend((1..count).map(|place| format!("John Roe {place}")));
        let all = of_authors(&[(&names.join("/"), byline(0)), ("Jane Doe", A::DublinCore)]);
        assert_eq!(all.authors(None, "example.com")[0].value, expected, "{count}");
    }
}

#[test]
fn a_property_is_the_source_of_the_relation_on_its_element() {
    let source = |property: &str, kind: AuthorKind| {
        let mut all = Candidates::default();
        all.author(&["Jane Doe".to_owned()], kind, S::Markup);
        all.author(&[property.to_owned()], A::Property, S::Microdata);
        all.authors(None, "example.com")[0].source
    };
    assert_eq!(source("Jane Doe", relation(0)), S::Microdata);
    assert_eq!(source("John Roe", relation(0)), S::Markup);
    assert_eq!(source("Jane Doe", byline(0)), S::Markup);
}

#[cfg(feature = "training")]
#[test]
fn candidates_are_listed_for_training_up_to_a_bound() {
    let mut all = of_dates(&[("05T10:00Z", Created, D::Loose)]);
    all.author(&["Jane Doe".to_owned(), "John Roe".to_owned()], A::Far, S::Text);
    assert_eq!(all.lines(), ["date 2024-03-05 Created Loose", "author Jane Doe, John Roe Far"]);
    for _ in 0..MOST {
        all.date(march("05"), Published, D::Loose, S::Text);
        all.author(&["Jane Doe".to_owned()], A::Far, S::Text);
    }
    assert_eq!(all.lines().len(), 2 * MOST);
}
