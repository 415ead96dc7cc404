//! TCT.
mod address;
mod conditional;
mod etag;
mod link;
mod members;
mod open;
mod payload;
mod plan;
mod response;
mod retry;
mod seal;
mod sitemap;
mod time;
mod untrusted;
mod visit;

pub use address::{
    AddressError, AddressErrorKind, CUrl, MUrl, TrailingSlash, UrlPolicy, is_public_host, is_same_page,
};
pub use conditional::{Precondition, RangeChoice, Validators, check_preconditions, choose_range};
pub use etag::EntityTag;
pub use link::{Link, html_alternate, link_alternate, link_canonical, link_policy, link_sitemap, links};
pub use open::{
    Expected, Note, OpenPolicy, Opened, Problem, ProblemCode, ReceivedPayload, Response, Strictness,
    open_response,
};
pub use payload::{ContentBuilder, PROFILE, Payload, escape_markup, find_markup};
pub use plan::{HeldPage, Plan, PlanPolicy, Planner, Recheck};
pub use response::{
    BodyPlan, EtagWhenCoded, PROTECTED_CACHE_CONTROL, PUBLIC_CACHE_CONTROL, Representation, ResponsePlan,
    plan_response,
};
pub use retry::{RateLimit, retry_after};
pub use seal::{HashCheck, HashMethod, SealError, SealErrorKind, Sealed, Sealer, check_hash, seal};
pub use sitemap::*;
pub use time::UnixSeconds;
pub use untrusted::UntrustedText;
pub use visit::{Disagreement, Outcome, Refusal, Step, Visit, VisitPolicy, VisitRequest};
