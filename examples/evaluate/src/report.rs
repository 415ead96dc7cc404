//! Means over pages, with the standard error over sites.

use std::collections::BTreeMap;
use std::fmt;

/// Values of pages, each with its site.
#[derive(Debug, Default)]
pub(crate) struct Values(Vec<(String, f64)>);

impl Values {
    pub(crate) fn push(&mut self, site: &str, value: f64) {
        self.0.push((site.to_owned(), value));
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The mean over pages.
    pub(crate) fn mean(&self) -> f64 {
        self.0.iter().map(|(_, value)| value).sum::<f64>() / self.0.len().max(1) as f64
    }

    /// The standard error of the mean where the pages of a site are drawn together.
    pub(crate) fn error(&self) -> f64 {
        let mean = self.mean();
        let mut sites: BTreeMap<&str, f64> = BTreeMap::new();
        for (site, value) in &self.0 {
            *sites.entry(site).or_default() += value - mean;
        }
        let count = sites.len() as f64;
        if count < 2.0 {
            return 0.0;
        }
        let squares: f64 = sites.values().map(|sum| sum * sum).sum();
        (squares * count / (count - 1.0)).sqrt() / self.0.len() as f64
    }
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_str("–");
        }
        write!(f, "{:.3} ± {:.3} ({})", self.mean(), self.error(), self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_a_site_count_together() {
        let mut apart = Values::default();
        let mut together = Values::default();
        for (place, value) in [1.0, 1.0, 0.0, 0.0].into_iter().enumerate() {
            apart.push(&format!("site {place}"), value);
            together.push(if place < 2 { "a" } else { "b" }, value);
        }
        assert_eq!((apart.mean(), together.mean()), (0.5, 0.5));
        assert!((apart.error() - 0.288_675).abs() < 1e-6);
        assert!((together.error() - 0.5).abs() < 1e-9);
        assert_eq!(together.to_string(), "0.500 ± 0.500 (4)");
    }
}
