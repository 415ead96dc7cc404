//! Posts of one look, which are content all or none.
//!
//! The model judges each block by itself and leaves out single posts of a thread, or keeps single ones of those below it. What
//! looks alike in elements that are named as posts, comments, answers or entries has one purpose on a page.

use super::features::Page;

/// Blocks of one look from which on they are a thread and no chance.
const LEAST: u32 = 3;

/// Keeps all blocks of one look in posts, or none: by the mean of their chances, compared as each block's is. Blocks without a
/// chance are not asked. `O(n)`.
pub(super) fn agree(page: &Page<'_>, chances: &[f32], threshold: f32, keep: &mut [bool]) {
    let mut sums = vec![(0.0f64, 0u32); page.looks.sums.len()];
    let mut posts: Vec<(usize, usize)> = Vec::new();
    for (place, (block, &chance)) in page.blocks.blocks.iter().zip(chances).enumerate() {
        let Some(&group) = page.looks.groups.get(place).filter(|_| chance > 0.0) else { continue };
        let group = group as usize;
        if page.around.is_in_post(block.container)
            && let Some((sum, count)) = sums.get_mut(group)
        {
            *sum += f64::from(chance);
            *count += 1;
            posts.push((place, group));
        }
    }
    for (place, group) in posts {
        if let (Some(&(sum, count)), Some(kept)) = (sums.get(group), keep.get_mut(place))
            && count >= LEAST
        {
            *kept = sum >= f64::from(threshold) * f64::from(count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::Marked;
    use super::*;

    /// What is kept from half on, of blocks that are content with such chances.
    fn kept(html: &str, chances: &[f32]) -> String {
        let mut page = Marked::of(html);
        page.keep = chances.iter().map(|&chance| chance >= 0.5).collect();
        agree(&Page::of(&page.tree, &page.blocks), chances, 0.5, &mut page.keep);
        page.kept()
    }

    #[test]
    fn posts_that_look_alike_are_kept_together() {
        let posts = |name: &str| format!("<div class={name}><p>a</div>").repeat(3).replacen(">a", ">b", 1);
        assert_eq!(kept(&posts("post-body"), &[0.4, 0.6, 0.6]), "b|a|a");
        assert_eq!(kept(&posts("post-body"), &[0.4, 0.4, 0.6]), "");
        assert_eq!(kept(&posts("comment"), &[0.4, 0.6, 0.6]), "b|a|a");
        // Other boxes, other looks, and two alone are left as they are; what may not be kept has no say.
        assert_eq!(kept(&posts("box"), &[0.4, 0.6, 0.6]), "a|a");
        assert_eq!(kept(&posts("post").replace("<p>b", "<li>b"), &[0.4, 0.6, 0.6]), "a|a");
        assert_eq!(kept(&posts("post"), &[0.0, 0.4, 0.9]), "a");
        assert_eq!(
            kept(&format!("{}<div class=post><p>c</div>", posts("post")), &[0.0, 0.4, 0.6, 0.6]),
            "a|a|c"
        );
        // The name may be further out.
        let far = format!("<main class=thread>{}</main>", posts("box"));
        assert_eq!(kept(&far, &[0.4, 0.6, 0.6]), "b|a|a");
    }
}
