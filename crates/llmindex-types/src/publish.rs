//! What a publisher serves beside the manifest: response header fields, `/llms.txt`, and the four pages in Markdown.

mod headers;
mod llms_txt;
mod markdown;
mod pages;

pub use headers::{CACHE_CONTROL, CONTENT_TYPE, ResponseHeaders, response_headers};
pub use llms_txt::llms_txt;
pub use pages::{About, FaqTopic, Policies, about_page, faq_page, policies_page, products_page};
