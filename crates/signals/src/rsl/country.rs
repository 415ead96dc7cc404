//! Countries, as licences name them.

use core::fmt;
use core::str::FromStr;

/// A country: two letters of ISO 3166-1, such as `DE` or `GB`.
///
/// `UK`, `EU`, `EL`, `DEU`, names and the empty text are refused: otherwise a licence that prohibits `GB` would not apply to
/// a caller in `UK`.
///
/// ```
/// use signals::RslCountry;
///
/// assert_eq!("gb".parse::<RslCountry>()?.code(), "GB");
/// assert!("UK".parse::<RslCountry>().is_err() && "Germany".parse::<RslCountry>().is_err());
/// # Ok::<(), signals::RslCountryError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RslCountry([u8; 2]);

/// The text is not the code of a country.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct RslCountryError;

impl fmt::Display for RslCountryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a country of ISO 3166-1 in two letters, such as DE or GB")
    }
}

impl core::error::Error for RslCountryError {}

impl RslCountry {
    /// The code in capitals.
    #[must_use]
    pub fn code(&self) -> &str {
        // Only codes of the list are made, which are ASCII.
        core::str::from_utf8(&self.0).unwrap_or_default()
    }

    /// Returns true for the member states of the European Union.
    pub(super) fn is_in_eu(self) -> bool {
        EU.split_ascii_whitespace().any(|code| code == self.code())
    }
}

impl FromStr for RslCountry {
    type Err = RslCountryError;

    /// Letter case does not matter.
    fn from_str(text: &str) -> Result<Self, RslCountryError> {
        let letters: [u8; 2] = text.as_bytes().try_into().map_err(|_| RslCountryError)?;
        let country = RslCountry(letters.map(|letter| letter.to_ascii_uppercase()));
        let is_one = CODES.split_ascii_whitespace().any(|code| code.as_bytes() == country.0);
        if is_one { Ok(country) } else { Err(RslCountryError) }
    }
}

impl fmt::Display for RslCountry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// The officially assigned codes of ISO 3166-1 alpha-2: 249 since 2011.
const CODES: &str = "\
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ \
    CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR \
    GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP \
    KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ \
    NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW \
    SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ \
    UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW";

/// The member states of the European Union.
const EU: &str = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_those_of_the_standard() {
        assert_eq!(CODES.split_ascii_whitespace().count(), 249);
        assert_eq!(EU.split_ascii_whitespace().filter(|code| code.parse::<RslCountry>().is_ok()).count(), 27);
        for text in ["", "UK", "EU", "EL", "DEU", "Germany", "D", "d\u{e9}", "XX", " DE"] {
            assert!(text.parse::<RslCountry>().is_err(), "{text}");
        }
    }
}
