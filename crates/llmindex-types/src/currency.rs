//! Currency codes: three upper-case ASCII letters; whether ISO 4217 lists them is advice.

/// Codes of ISO 4217 lists one (current, with funds, metals and the codes for testing and for none).
const CODES: &str = "AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BHD BIF BMD BND BOB BOV BRL BSD BTN BWP \
    BYN BZD CAD CDF CHE CHF CHW CLF CLP CNY COP COU CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL \
    GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT \
    LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD OMR \
    PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB \
    TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD USN UYI UYU UYW UZS VED VES VND VUV WST XAD XAF XAG XAU XBA XBB XBC \
    XBD XCD XCG XDR XOF XPD XPF XPT XSU XTS XUA XXX YER ZAR ZMW ZWG";

/// Recently withdrawn codes that feeds still use.
const WITHDRAWN: &str = "ANG BGN CUC HRK SLL ZWL";

/// Whether `code` has the form of a currency code.
///
/// Spec: llmindex 0.1, "products.jsonl feed format"; LLMI-FEED-7.
#[must_use]
pub(crate) fn is_well_formed(code: &str) -> bool {
    code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase())
}

/// Returns true if ISO 4217 lists a well-formed `code`, or withdrew it recently.
pub(crate) fn is_listed(code: &str) -> bool {
    let listed = |list: &str| list.as_bytes().chunks(4).any(|entry| entry.starts_with(code.as_bytes()));
    matches!(code, "USD" | "EUR" | "GBP" | "JPY" | "CNY") || listed(CODES) || listed(WITHDRAWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes() {
        for listed in ["USD", "AED", "ZWG", "XXX", "CHF", "HRK", "ANG", "ZWL"] {
            assert!(is_well_formed(listed) && is_listed(listed), "{listed}");
        }
        assert!(is_well_formed("ZZZ") && !is_listed("ZZZ") && !is_listed("ED "));
        for malformed in ["usd", "US", "USDT", "", "US1", "ÜSD", "Usd"] {
            assert!(!is_well_formed(malformed), "{malformed}");
        }
        assert!(CODES.split(' ').all(is_well_formed) && CODES.split(' ').is_sorted());
    }
}
