//! Access control. A page of another site must not reach the engine through the browser that shows
//! it, so every request needs the token of this start, a Host that is really this machine, and, from
//! a browser, an Origin that is this server.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

/// Shortest token where only this machine can connect.
pub const MIN_TOKEN: usize = 8;
/// Shortest token where other machines can connect, and guess.
pub const MIN_PUBLIC_TOKEN: usize = 16;

/// Why a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The Host is not this machine: a name that an attacker controls may point here.
    Host,
    /// The request comes from a page of another site.
    Origin,
    /// The token is missing or wrong.
    Token,
}

impl Refusal {
    /// The HTTP status, with a reason for people.
    pub(crate) fn response(self) -> (StatusCode, &'static str) {
        match self {
            Self::Host => (StatusCode::MISDIRECTED_REQUEST, "This address is not served here.\n"),
            Self::Origin => (StatusCode::FORBIDDEN, "Pages of other sites may not ask Halcyon.\n"),
            Self::Token => (
                StatusCode::FORBIDDEN,
                "Halcyon was restarted: open the new address that `halcyon serve` has printed.\n",
            ),
        }
    }
}

/// Knows the token and the names of this server.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    token: String,
    /// The host that was asked for on the command line.
    host: String,
    port: u16,
    loopback: bool,
}

impl Guard {
    /// For a server at an address, reached under a host.
    pub(crate) fn new(token: String, host: &str, address: SocketAddr) -> Self {
        let host = host.trim_matches(['[', ']']).to_ascii_lowercase();
        Self { token, host, port: address.port(), loopback: address.ip().is_loopback() }
    }

    /// Whether a request names this server and comes from its own page.
    pub(crate) fn check_source(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = text(headers, &HOST).filter(|host| self.is_own(host)).ok_or(Refusal::Host)?;
        match headers.get(ORIGIN) {
            None => Ok(()),
            Some(origin) if origin.as_bytes() == format!("http://{host}").as_bytes() => Ok(()),
            Some(_) => Err(Refusal::Origin),
        }
    }

    /// Whether a request carries the token, as a cookie or as `offered`.
    pub(crate) fn check_token(
        &self,
        headers: &HeaderMap,
        offered: Option<&str>,
    ) -> Result<(), Refusal> {
        let name = self.cookie_name();
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let mut kept = cookies
            .flat_map(|line| line.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .filter(|(key, _)| *key == name)
            .map(|(_, value)| value);
        let fits = offered.is_some_and(|offered| same(offered, &self.token))
            || kept.any(|value| same(value, &self.token));
        if fits { Ok(()) } else { Err(Refusal::Token) }
    }

    /// The cookie that keeps the token. Cookies do not know ports, so its name does.
    pub(crate) fn cookie(&self) -> String {
        format!("{}={}; Path=/; HttpOnly; SameSite=Strict", self.cookie_name(), self.token)
    }

    fn cookie_name(&self) -> String {
        format!("halcyon-{}", self.port)
    }

    /// A name can be made to point anywhere; a number or `localhost` cannot.
    fn is_own(&self, host: &str) -> bool {
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
            _ => (host, Some(80)),
        };
        let name = name.trim_matches(['[', ']']).to_ascii_lowercase();
        let trusted = match name.parse::<IpAddr>() {
            Ok(number) => number.is_loopback() || !self.loopback,
            Err(_) => name == "localhost" || name == self.host,
        };
        trusted && port == Some(self.port)
    }

    /// The headers of every response: nothing from elsewhere, nothing to elsewhere.
    pub(crate) fn headers(&self, headers: &HeaderMap) -> [(HeaderName, HeaderValue); 6] {
        let socket = text(headers, &HOST).filter(|host| self.is_own(host)).unwrap_or("localhost");
        let policy = format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
             connect-src 'self' ws://{socket}; base-uri 'none'; form-action 'none'; \
             frame-ancestors 'none'"
        );
        let policy = HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static(
            "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ));
        let fixed = HeaderValue::from_static;
        [
            (CONTENT_SECURITY_POLICY, policy),
            (X_CONTENT_TYPE_OPTIONS, fixed("nosniff")),
            (REFERRER_POLICY, fixed("no-referrer")),
            (CACHE_CONTROL, fixed("no-store")),
            (HeaderName::from_static("cross-origin-opener-policy"), fixed("same-origin")),
            (HeaderName::from_static("cross-origin-resource-policy"), fixed("same-origin")),
        ]
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    // Two different Hosts are refused.
    values.next().filter(|_| values.next().is_none())?.to_str().ok()
}

/// Compares without telling by the time it takes how much was right.
fn same(offered: &str, token: &str) -> bool {
    let pairs = offered.bytes().zip(token.bytes());
    offered.len() == token.len() && pairs.fold(0, |seen, (a, b)| seen | (a ^ b)) == 0
}

/// A token that nobody can guess.
pub(crate) fn random_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(host: &str, address: &str) -> Guard {
        Guard::new("0123456789abcdef".into(), host, address.parse().unwrap())
    }

    fn headers(pairs: &[(HeaderName, &str)]) -> HeaderMap {
        let value = |text: &&str| HeaderValue::from_str(text).unwrap();
        pairs.iter().map(|(name, text)| (name.clone(), value(text))).collect()
    }

    #[test]
    fn only_names_of_this_machine_are_hosts() {
        let guard = guard("127.0.0.1", "127.0.0.1:8960");
        for host in ["127.0.0.1:8960", "localhost:8960", "LOCALHOST:8960", "[::1]:8960"] {
            assert_eq!(guard.check_source(&headers(&[(HOST, host)])), Ok(()), "{host}");
        }
        for host in [
            "evil.example:8960",
            "127.0.0.1.evil.example:8960",
            "127.0.0.1:8961",
            "127.0.0.1",
            "192.168.0.7:8960",
            "localhost",
            "",
        ] {
            let refused = guard.check_source(&headers(&[(HOST, host)]));
            assert_eq!(refused, Err(Refusal::Host), "{host}");
        }
        assert_eq!(guard.check_source(&HeaderMap::new()), Err(Refusal::Host));
        let mut twice = headers(&[(HOST, "127.0.0.1:8960")]);
        twice.append(HOST, HeaderValue::from_static("evil.example"));
        assert_eq!(guard.check_source(&twice), Err(Refusal::Host));
    }

    #[test]
    fn a_server_for_others_has_its_name_and_numbers() {
        let guard = guard("board.local", "0.0.0.0:80");
        for host in ["192.168.0.7", "192.168.0.7:80", "board.local", "[fe80::1]:80"] {
            assert_eq!(guard.check_source(&headers(&[(HOST, host)])), Ok(()), "{host}");
        }
        let refused = guard.check_source(&headers(&[(HOST, "evil.example")]));
        assert_eq!(refused, Err(Refusal::Host));
    }

    #[test]
    fn another_site_is_refused() {
        let guard = guard("127.0.0.1", "127.0.0.1:8960");
        let source =
            |origin| guard.check_source(&headers(&[(HOST, "localhost:8960"), (ORIGIN, origin)]));
        assert_eq!(source("http://localhost:8960"), Ok(()));
        for origin in
            ["null", "https://localhost:8960", "http://localhost:8961", "http://evil.example", ""]
        {
            assert_eq!(source(origin), Err(Refusal::Origin), "{origin}");
        }
    }

    #[test]
    fn the_token_comes_in_the_address_or_the_cookie() {
        let guard = guard("127.0.0.1", "127.0.0.1:8960");
        let none = HeaderMap::new();
        assert_eq!(guard.check_token(&none, Some("0123456789abcdef")), Ok(()));
        let kept = headers(&[(COOKIE, "a=b; halcyon-8960=0123456789abcdef")]);
        assert_eq!(guard.check_token(&kept, None), Ok(()));
        for wrong in ["", "0123456789abcde", "0123456789abcdeg", "0123456789abcdef0"] {
            assert_eq!(guard.check_token(&none, Some(wrong)), Err(Refusal::Token), "{wrong}");
        }
        let other_port = headers(&[(COOKIE, "halcyon-8961=0123456789abcdef")]);
        assert_eq!(guard.check_token(&other_port, None), Err(Refusal::Token));
    }

    #[test]
    fn tokens_differ() {
        let (one, two) = (random_token().unwrap(), random_token().unwrap());
        assert_eq!((one.len(), two.len()), (32, 32));
        assert_ne!(one, two);
    }
}
