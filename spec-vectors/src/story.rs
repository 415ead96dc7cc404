//! Vectors of several steps: later steps depend on earlier answers.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::{Basis, Expected};

/// One file of stories.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct StorySet {
    /// JSON Schema that the file names for editors, if any.
    #[serde(rename = "$schema", default)]
    pub schema: Option<String>,
    /// Document and revision that the stories test.
    pub spec: String,
    /// Name of the file without its ending, such as `crawl`.
    pub topic: String,
    /// The stories, in the order of the file.
    pub stories: Vec<Story>,
}

/// A vector with steps, such as a crawl over several days: each step is one operation, and its input may carry values
/// over from the implementation's own answers to earlier steps.
///
/// In this way the line protocol, which has no state, tests implementations that have state.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Story {
    /// Stable name, unique over all stories and cases.
    pub id: String,
    /// What the story is about.
    pub comment: String,
    /// The basis of the expectations.
    pub basis: Basis,
    /// Requirement IDs that the story tests.
    pub requirements: Vec<String>,
    /// Title of the specification's section.
    #[serde(default)]
    pub section: Option<String>,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// One step of a [`Story`].
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct Step {
    /// What happens in it.
    pub comment: String,
    /// The operation, such as `tct.crawl`.
    pub op: String,
    /// Input members that do not depend on earlier steps.
    #[serde(rename = "in")]
    pub input: Map<String, Value>,
    /// Values to carry over: a JSON Pointer into `input`, and one into the list of the `ok` answers so far.
    #[serde(default)]
    pub carry: BTreeMap<String, String>,
    /// What the operation must answer.
    #[serde(flatten)]
    pub expected: Expected,
}

impl Story {
    /// The request of a step, an object with `id`, `op` and `in`, where `answers` holds the `ok` of each step before it.
    ///
    /// `None` where there is no such step, or an earlier answer lacks what the step carries over.
    #[must_use]
    pub fn request(&self, step: usize, answers: &[Value]) -> Option<Value> {
        let number = step + 1;
        let step = self.steps.get(step)?;
        let answers = Value::Array(answers.to_vec());
        let mut input = Value::Object(step.input.clone());
        for (to, from) in &step.carry {
            put(&mut input, to, answers.pointer(from)?.clone())?;
        }
        Some(json!({ "id": format!("{}/{number}", self.id), "op": step.op, "in": input }))
    }
}

/// Sets what a JSON Pointer names: a member that may be new, or an element that is there.
fn put(value: &mut Value, pointer: &str, new: Value) -> Option<()> {
    let (parent, name) = pointer.rsplit_once('/')?;
    match value.pointer_mut(parent)? {
        Value::Object(members) => {
            members.insert(name.replace("~1", "/").replace("~0", "~"), new);
        }
        Value::Array(elements) => *elements.get_mut(name.parse::<usize>().ok()?)? = new,
        _ => return None,
    }
    Some(())
}

/// All stories, file by file. Reads the JSON at each call.
pub fn stories() -> impl Iterator<Item = StorySet> {
    STORIES.iter().filter_map(|text| serde_json::from_str(text).ok())
}

/// One line a file; a test fails when a file is missing here.
const STORIES: &[&str] = &[
    include_str!("../stories/crawl.json"),
    include_str!("../stories/keys.json"),
    include_str!("../stories/names.json"),
    include_str!("../stories/proofs.json"),
    include_str!("../stories/publisher.json"),
    include_str!("../stories/robots.json"),
    include_str!("../stories/texts.json"),
    include_str!("../stories/visits.json"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_story_reads_and_carries_only_what_came_before() {
        for text in STORIES {
            let set: StorySet = serde_json::from_str(text).unwrap();
            for story in &set.stories {
                assert!(story.steps.len() > 1, "{}: a story has steps", story.id);
                for (number, step) in story.steps.iter().enumerate() {
                    for from in step.carry.values() {
                        let of: usize = from.split('/').nth(1).unwrap().parse().unwrap();
                        assert!(of < number, "{}: step {number} carries from step {of}", story.id);
                    }
                }
            }
        }
    }

    #[test]
    fn a_step_carries_over_what_earlier_answers_gave() {
        let story: Story = serde_json::from_value(json!({
            "id": "a", "comment": "", "basis": "text", "requirements": ["X-1"],
            "steps": [
                { "comment": "", "op": "x.first", "in": {}, "ok": {} },
                { "comment": "", "op": "x.second", "in": { "list": [["a", ""]] }, "carry": { "/list/0/1": "/0/tag", "/new": "/0" }, "ok": {} },
            ],
        }))
        .unwrap();
        let request = story.request(1, &[json!({ "tag": 7 })]).unwrap();
        assert_eq!(request["in"], json!({ "list": [["a", 7]], "new": { "tag": 7 } }));
        assert_eq!(request["id"], "a/2");
        assert_eq!(story.request(1, &[json!({})]), None);
        assert_eq!(story.request(2, &[]), None);
    }
}
