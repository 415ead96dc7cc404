//! Reads the policy descriptor that is linked, and compares it with robots.txt.

use http::StatusCode;
use llmindex_types::web_values::Finding;
use robots::Preferences;

use tct::{Permission, PolicyDescriptor, Purpose};
use url::Url;

use crate::Context;
use crate::finding::Check;

/// Reads the first of the policies that sitemap, twin or page link.
pub(super) async fn check(context: &mut Context, policies: &[Url], facts: &mut Vec<String>) {
    let origin = context.start.url.origin();
    let Some(url) = policies.iter().find(|url| url.origin() == origin).cloned() else {
        let place = context.start.url.to_string();
        let expected = "a policy descriptor, linked from sitemap, twin or page";
        context.findings.add(Check::PolicyMissing, &place, expected, "none");
        return;
    };
    let Some(answer) = context.get(&url).await.filter(|answer| answer.status == StatusCode::OK) else {
        context.findings.add(Check::PolicyFault, url.as_str(), "the policy that is linked", "none");
        return;
    };
    let (policy, faults) = match PolicyDescriptor::parse(&answer.body) {
        Ok(parsed) => parsed,
        Err(error) => {
            let requirement = error.requirement();
            context.findings.add_sentence(Check::PolicyFault, requirement, url.as_str(), &error.to_string());
            return;
        }
    };
    for fault in faults {
        let (place, requirement) = (format!("{url}#{}", fault.place()), Check::PolicyFault.requirement());
        context.findings.add_sentence(Check::PolicyFault, requirement, &place, &fault.message());
    }
    facts.push("a policy descriptor".to_owned());
    check_preferences(context, &policy, &url);
    context.policy = Some(policy);
}

/// Checks that robots.txt and the policy agree.
fn check_preferences(context: &mut Context, policy: &PolicyDescriptor, url: &Url) {
    let stated = Preferences::of_robots(&context.robots, &context.agent, &context.start.url);
    for (signal, yes) in stated.signals().collect::<Vec<_>>() {
        let purpose = match signal {
            robots::Signal::Search => Purpose::SearchIndexing,
            robots::Signal::AiInput => Purpose::AiInput,
            robots::Signal::AiTrain => Purpose::AiTrain,
            _ => continue,
        };
        let is_contrary = matches!(
            (policy.permission(purpose), yes),
            (Permission::Allowed, robots::Preference::No) | (Permission::Denied, robots::Preference::Yes)
        );
        if is_contrary {
            let expected = format!("the policy to say {}={yes:?} too", signal.name()).to_lowercase();
            context.findings.add(Check::PreferencesConflict, url.as_str(), &expected, "the contrary");
        }
    }
}
