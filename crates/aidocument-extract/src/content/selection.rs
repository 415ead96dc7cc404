//! The chosen part of a page.

use super::blocks::Blocks;
use super::media;
use crate::structure::Structure;
use crate::tree::{ByNode, NodeId, NodeMap, Tree};

/// The chosen part of a page: text nodes, images and rules, and the elements around them.
#[derive(Debug, Default)]
pub(crate) struct Selection {
    /// `None` stands for everything.
    kept: Option<ByNode<bool>>,
    /// False if the page is written unchanged, including noise.
    is_tidy: bool,
    /// Captions of images that were not chosen as text.
    captions: NodeMap<String>,
    /// For each footnote, whether it is chosen with a mark of it; empty where all are.
    notes: Vec<bool>,
}

impl Selection {
    /// Everything that is visible, as it is.
    pub(crate) fn whole() -> Selection {
        Selection::default()
    }

    /// Everything that is visible, without noise such as links from a heading to itself and soft hyphens.
    pub(super) fn tidy() -> Selection {
        Selection { is_tidy: true, ..Selection::whole() }
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
        !self.is_tidy
    }

    /// Whether something was chosen.
    pub(crate) fn is_choice(&self) -> bool {
        self.kept.is_some()
    }

    /// Whether a text node, image or rule is chosen, or an element holds anything that is.
    pub(crate) fn has(&self, id: NodeId) -> bool {
        self.kept.as_ref().is_none_or(|kept| kept[id])
    }

    /// The blocks for which `keep` is set, with the images and rules between two of them; `own` is the name of the page's address.
    pub(super) fn of(
        tree: &Tree,
        blocks: &Blocks,
        structure: &Structure,
        keep: &[bool],
        own: &str,
    ) -> Selection {
        let mut kept = ByNode::new(tree);
        for (block, _) in blocks.blocks.iter().zip(keep).filter(|(_, keep)| **keep) {
            mark(tree, &mut kept, blocks.texts_of(block));
        }
        let notes = choose_notes(tree, structure, &mut kept);
        let beside = media::choose(tree, blocks, structure, &kept, own);
        mark(tree, &mut kept, &beside.nodes);
        Selection { kept: Some(kept), is_tidy: true, captions: beside.captions, notes }
    }
}

/// Chooses the footnotes that chosen text has marks of; for each footnote, whether it is.
fn choose_notes(tree: &Tree, structure: &Structure, kept: &mut ByNode<bool>) -> Vec<bool> {
    let mut chosen = Vec::with_capacity(structure.notes().len());
    for note in structure.notes() {
        let has_mark = note.marks.iter().any(|&mark| {
            let holder = tree.ancestors(mark).find(|&around| tree.tag(around).is_block());
            kept[mark] || (note.is_inline && holder.is_some_and(|holder| kept[holder]))
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
        mark(tree, kept, &texts);
    }
    chosen
}

/// Nodes of a footnote that are chosen with it.
const MAX_NOTE_NODES: usize = 2_000;

/// Marks nodes and the elements around them.
pub(super) fn mark(tree: &Tree, kept: &mut ByNode<bool>, nodes: &[NodeId]) {
    for &id in nodes {
        kept[id] = true;
        for around in tree.ancestors(id) {
            // What is around one that is marked is marked as well.
            if std::mem::replace(&mut kept[around], true) {
                break;
            }
        }
    }
}
