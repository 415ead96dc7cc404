//! A shop's manifest of llmindex 0.2 with feed, delta, proof of ownership and signature, and what a reader checks.
//! `cargo run -p short --bin shop -- FOLDER` writes what `https://shop.example` is to serve. A real shop keeps its key.
use llmindex_types::{
    Availability, DeltaBase, DeltaWriter, FeedWriter, Limits, Manifest, ManifestBuilder, ManifestText,
    Options, Product, ProductBuilder, VerifyMethod, web_values::Timestamp,
};
use verify::{
    BundledSuffixes, Domain, JwsForm, ManifestProof, ManifestVerifier, Origin, Protocol, Token, TxtToPublish,
    sign_manifest,
};

const SITE: &str = "https://shop.example";
type Failure = Box<dyn std::error::Error>;

fn pot(id: &str, price: &str, changed: Timestamp) -> Result<Product, Failure> {
    let page = format!("{SITE}/pots/{id}");
    Ok(ProductBuilder::new(id, "A pot", &page, Availability::InStock, changed).price(price, "EUR").build()?)
}

#[expect(clippy::print_stdout, clippy::disallowed_methods, reason = "a program prints and writes files")]
fn main() -> Result<(), Failure> {
    let folder = std::path::PathBuf::from(std::env::args().nth(1).ok_or("usage: shop FOLDER")?);
    let (before, now): (Timestamp, Timestamp) =
        ("2026-02-20T00:00:00Z".parse()?, "2026-02-21T00:00:00Z".parse()?);
    let mut secret = [0; 32];
    getrandom::fill(&mut secret)?;

    // The feed as it is now, and what changed since `before`.
    let (mut feed, mut delta) = (Vec::new(), Vec::new());
    let (mut all, mut changes) = (FeedWriter::new([7; 16]), DeltaWriter::new([7; 16]));
    all.write(&pot("P1", "19.50", now)?, &mut feed)?;
    all.write(&pot("P2", "24", before)?, &mut feed)?;
    changes.put(&pot("P1", "19.50", now)?, &mut delta)?;
    changes.delete("P3", now, &mut delta)?;

    // The manifest says where they are, and how to prove that the domain is the shop's. It is signed last.
    let token =
        Token::issue_from_system(Domain::parse(Protocol::Llmindex, "shop.example", &BundledSuffixes)?)?;
    let manifest =
        ManifestBuilder::new("The Pot Shop", SITE, "en").version_0_2().updated_at(now).topic("pots");
    let manifest = manifest.products_feed(&format!("{SITE}/products.jsonl")).feed_updated_at(now);
    let manifest = manifest.delta_feed(&format!("{SITE}/products-delta.jsonl?since={before}"));
    let manifest = manifest.verify(VerifyMethod::DnsTxt, token.expose()).license("CC-BY-4.0").build()?;
    let key = jwk::SigningKey::from_secret(&secret).with_kid(&format!("{SITE}/.well-known/jwks.json"));
    let signed = sign_manifest(manifest.as_bytes(), &key, JwsForm::Attached)?;
    println!("TXT record at {}: {}", TxtToPublish::new(&token).name(), TxtToPublish::new(&token).value());

    // A reader, with the keys from a place that it trusts. The proof's token goes to `evaluate_dns`, as in dns_proof.rs.
    let keys = jwk::JwkSet::parse(key.to_public_jwk_set().as_bytes())?;
    println!("{}", ManifestVerifier::new(&keys, Origin::FetchedFrom(SITE)).verify(signed.as_bytes())?);
    let text = ManifestText::parse(signed.as_bytes(), &Limits::MANIFEST)?;
    println!("proof by {}", ManifestProof::of(&text, "shop.example", &BundledSuffixes)?.method());
    DeltaBase::of_manifest(&Manifest::parse(signed.as_bytes(), &Options::default())?)?.check(before)?;
    std::fs::write(folder.join("llmindex.json"), signed)?;
    std::fs::write(folder.join("products.jsonl"), feed)?;
    Ok(std::fs::write(folder.join("products-delta.jsonl"), delta)?)
}
