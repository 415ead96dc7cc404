//! The chosen part of a page.

use super::blocks::Blocks;
use super::media;
use crate::structure::Structure;
use crate::tree::{NodeId, NodeMap, Tree};

/// The chosen part of a page: text nodes, images and rules, and the elements around them.
#[derive(Debug)]
pub(crate) struct Selection {
    /// `None` stands for everything.
    kept: Option<Vec<bool>>,
    /// True if the page is written unchanged, including noise.
    as_is: bool,
    /// Captions of images that were not chosen as text.
    captions: NodeMap<String>,
    /// For each footnote, whether it is chosen with a mark of it; empty where all are.
    notes: Vec<bool>,
}

impl Selection {
    /// Everything that is visible, as it is.
    pub(crate) fn whole() -> Selection {
        Selection { kept: None, as_is: true, captions: NodeMap::default(), notes: Vec::new() }
    }

    /// Everything that is visible, without noise such as links from a heading to itself and soft hyphens.
    pub(super) fn tidy() -> Selection {
        Selection { as_is: false, ..Selection::whole() }
    }

    /// Whether a footnote is chosen, with a mark that leads to it.
    pub(crate) fn has_note(&self, place: usize) -> bool {
        self.kept.is_none() || self.notes.get(place) == Some(&true)
    }

    /// The caption of an image, unless it is part of the chosen text.
    pub(crate) fn caption(&self, id: NodeId) -> Option<&str> {
        self.captions.get(&id).map(String::as_str)
    }

    /// Whether the page is written as it is.
    pub(crate) fn is_whole(&self) -> bool {
        self.as_is
    }

    /// Whether something was chosen.
    pub(crate) fn is_choice(&self) -> bool {
        self.kept.is_some()
    }

    /// Whether a text node, image or rule is chosen.
    pub(crate) fn has(&self, id: NodeId) -> bool {
        self.kept.as_ref().is_none_or(|kept| kept.get(id.index()).copied().unwrap_or(false))
    }

    /// Whether an element holds anything that is chosen.
    pub(crate) fn has_any(&self, id: NodeId) -> bool {
        self.has(id)
    }

    /// The blocks for which `keep` is set, with the images and rules between two of them.
    pub(super) fn of(tree: &Tree, blocks: &Blocks, structure: &Structure, keep: &[bool]) -> Selection {
        let mut kept = vec![false; tree.len()];
        for (block, _) in blocks.blocks.iter().zip(keep).filter(|(_, keep)| **keep) {
            for id in blocks.texts_of(block) {
                if let Some(place) = kept.get_mut(id.index()) {
                    *place = true;
                }
            }
        }
        let chosen = blocks.blocks.iter().zip(keep).filter(|(_, keep)| **keep);
        mark_around(tree, &mut kept, chosen.flat_map(|(block, _)| blocks.texts_of(block)).copied());
        let notes = choose_notes(tree, structure, &mut kept);
        let beside = media::choose(tree, blocks, structure, &kept);
        for id in &beside.nodes {
            if let Some(place) = kept.get_mut(id.index()) {
                *place = true;
            }
        }
        mark_around(tree, &mut kept, beside.nodes.into_iter());
        Selection { kept: Some(kept), as_is: false, captions: beside.captions, notes }
    }
}

/// Chooses the footnotes that chosen text has marks of; for each footnote, whether it is.
fn choose_notes(tree: &Tree, structure: &Structure, kept: &mut [bool]) -> Vec<bool> {
    let is_kept = |kept: &[bool], id: NodeId| kept.get(id.index()) == Some(&true);
    let mut chosen = Vec::with_capacity(structure.notes().len());
    for note in structure.notes() {
        let has_mark = note.marks.iter().any(|&mark| {
            let holder = tree.ancestors(mark).find(|&around| tree.tag(around).is_block());
            is_kept(kept, mark) || (note.is_inline && holder.is_some_and(|holder| is_kept(kept, holder)))
        });
        chosen.push(has_mark);
        if !has_mark {
            continue;
        }
        let texts: Vec<NodeId> = tree
            .descendants(note.definition)
            .take(MAX_NOTE_NODES)
            .filter(|&id| tree.text(id).is_some())
            .collect();
        for id in &texts {
            if let Some(place) = kept.get_mut(id.index()) {
                *place = true;
            }
        }
        mark_around(tree, kept, texts.into_iter());
    }
    chosen
}

/// Nodes of a footnote that are chosen with it.
const MAX_NOTE_NODES: usize = 2_000;

/// Marks the elements around nodes.
pub(super) fn mark_around(tree: &Tree, kept: &mut [bool], nodes: impl Iterator<Item = NodeId>) {
    for id in nodes {
        for around in tree.ancestors(id) {
            match kept.get_mut(around.index()) {
                Some(place) if !*place => *place = true,
                // What is around that is marked already.
                _ => break,
            }
        }
    }
}
