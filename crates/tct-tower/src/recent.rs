//! A cache of values by name, limited in bytes; the least recently used are dropped first.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Bytes of an entry besides its name and value: two map slots, a counter, a pointer.
const ENTRY_BYTES: usize = 160;

#[derive(Debug)]
pub(crate) struct Recent<V> {
    max_bytes: usize,
    used_bytes: usize,
    uses: u64,
    entries: HashMap<Arc<str>, Entry<V>>,
    /// The names, ordered by their last use.
    order: BTreeMap<u64, Arc<str>>,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    bytes: usize,
    used: u64,
}

impl<V: Clone> Recent<V> {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Recent { max_bytes, used_bytes: 0, uses: 0, entries: HashMap::new(), order: BTreeMap::new() }
    }

    pub(crate) fn get(&mut self, name: &str) -> Option<V> {
        let entry = self.entries.get_mut(name)?;
        self.uses += 1;
        if let Some(name) = self.order.remove(&entry.used) {
            self.order.insert(self.uses, name);
        }
        entry.used = self.uses;
        Some(entry.value.clone())
    }

    /// Keeps a value of this many bytes under this name, replacing the old one. A value larger than the cache is not kept.
    pub(crate) fn insert(&mut self, name: &str, value: V, value_bytes: usize) {
        self.remove(name);
        let bytes = value_bytes.saturating_add(name.len()).saturating_add(ENTRY_BYTES);
        if bytes > self.max_bytes {
            return;
        }
        while self.used_bytes > self.max_bytes - bytes {
            let Some((_, oldest)) = self.order.pop_first() else { break };
            if let Some(entry) = self.entries.remove(&oldest) {
                self.used_bytes -= entry.bytes;
            }
        }
        self.uses += 1;
        self.used_bytes += bytes;
        let name: Arc<str> = name.into();
        self.order.insert(self.uses, Arc::clone(&name));
        self.entries.insert(name, Entry { value, bytes, used: self.uses });
    }

    fn remove(&mut self, name: &str) {
        if let Some(entry) = self.entries.remove(name) {
            self.order.remove(&entry.used);
            self.used_bytes -= entry.bytes;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(recent: &Recent<u8>) -> String {
        recent.order.values().map(|name| &**name).collect::<Vec<_>>().join("")
    }

    #[test]
    fn least_recently_used_goes_first() {
        let mut recent = Recent::new(3 * (ENTRY_BYTES + 11));
        for name in ["a", "b", "c"] {
            recent.insert(name, 0, 10);
        }
        assert_eq!(recent.get("a"), Some(0));
        assert_eq!(kept(&recent), "bca");
        recent.insert("d", 1, 10);
        assert_eq!((kept(&recent).as_str(), recent.get("b")), ("cad", None));
        // What replaces a value takes nobody's place; what grows takes as many as it needs.
        recent.insert("c", 2, 10);
        assert_eq!(kept(&recent), "adc");
        recent.insert("d", 3, 11);
        assert_eq!(kept(&recent), "cd");
        assert_eq!(recent.used_bytes, 2 * (ENTRY_BYTES + 11) + 1);
        // What is larger than everything is not kept, nor is what it replaces.
        recent.insert("d", 4, 1000);
        assert_eq!((kept(&recent).as_str(), recent.used_bytes), ("c", ENTRY_BYTES + 11));
    }
}
