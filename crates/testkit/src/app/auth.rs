//! Who sends a request: the App with a JSON web token, or an installation with its token. Also the App's key and its signatures.

use std::collections::BTreeSet;

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use http::HeaderMap;
use http::header::AUTHORIZATION;
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair, UnparsedPublicKey};
use serde_json::{Value, json};
use sha2::Sha256;

use super::data::{Data, Token};
use super::{Shared, machine_time};
use crate::server::{Canned, canned, message};
use crate::world::Request;

/// GitHub's refusal of an action that the token has no permission for.
pub(super) const FORBIDDEN: &str = "Resource not accessible by integration";

/// Returns the token in the header `Authorization`.
fn token(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    ["bearer", "token"].contains(&scheme.to_ascii_lowercase().as_str()).then_some(token.trim())
}

/// Checks that the App sends a request.
///
/// # Errors
/// Returns GitHub's refusal if the JSON web token is wrong or has expired.
pub(super) fn check_app(shared: &Shared, headers: &HeaderMap) -> Result<(), Canned> {
    let refuse = |why: &str| Err(canned(401, message(why)));
    let claims = token(headers).and_then(|jwt| verified_claims(&shared.data().public_key, jwt));
    let Some(claims) = claims else { return refuse("A JSON web token could not be decoded") };
    let now = machine_time() / 1000;
    let Some(issued) = claims["iat"].as_u64().filter(|issued| *issued <= now) else {
        return refuse(
            "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
        );
    };
    let Some(expires) = claims["exp"].as_u64().filter(|expires| *expires > now) else {
        return refuse(
            "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
        );
    };
    if expires > issued + 600 || expires > now + 600 {
        return refuse("'Expiration time' claim ('exp') is too far in the future");
    }
    let data = shared.data();
    let is_ours = match &claims["iss"] {
        Value::Number(id) => id.as_u64() == Some(data.app.id),
        Value::String(id) => *id == data.app.client_id || *id == data.app.id.to_string(),
        _ => return refuse("'Issuer' claim ('iss') must be an Integer"),
    };
    if is_ours { Ok(()) } else { Err(canned(404, message("Integration not found"))) }
}

/// Returns the installation token of a request.
///
/// # Errors
/// Returns GitHub's refusal if the token is unknown or has expired, or if its installation is suspended.
pub(super) fn check_token(shared: &Shared, headers: &HeaderMap) -> Result<Token, Canned> {
    let bad = || canned(401, message("Bad credentials"));
    let now = shared.now();
    let data = shared.data();
    let known = token(headers).and_then(|token| data.tokens.get(token)).filter(|token| token.expires > now);
    let token = known.cloned().ok_or_else(bad)?;
    match data.installations.get(&token.installation) {
        None => Err(bad()),
        Some(installation) if installation.suspended.is_some() => {
            Err(canned(403, message("This installation has been suspended")))
        }
        Some(_) => Ok(token),
    }
}

impl Token {
    /// Returns the repositories that the token opens.
    pub(super) fn opens<'a>(&'a self, data: &'a Data) -> impl Iterator<Item = u64> + 'a {
        let all = data.installations.get(&self.installation).map(|installation| &installation.repositories);
        let is_chosen = |id: &u64| self.repositories.as_ref().is_none_or(|chosen: &BTreeSet<u64>| chosen.contains(id));
        all.into_iter().flatten().copied().filter(is_chosen)
    }

    /// Whether the token opens this repository.
    pub(super) fn can_open(&self, data: &Data, repository: u64) -> bool {
        let of_installation = |id: &u64| {
            data.installations
                .get(&self.installation)
                .is_some_and(|installation| installation.repositories.contains(id))
        };
        of_installation(&repository) && self.repositories.as_ref().is_none_or(|chosen| chosen.contains(&repository))
    }

    /// Whether the token's permissions allow a request.
    pub(super) fn allows(&self, kind: Request) -> bool {
        let (name, needed) = match kind {
            Request::Commit | Request::MakeBranch | Request::DeleteBranch => ("contents", "write"),
            Request::Read | Request::Files | Request::Folder => ("contents", "read"),
            Request::Page | Request::Exists | Request::Votes | Request::Sweep => ("issues", "read"),
            Request::Permission | Request::Settings | Request::Account => ("metadata", "read"),
            _ => ("issues", "write"),
        };
        self.has(name, needed)
    }

    /// Whether the token has a permission.
    pub(super) fn has(&self, name: &str, needed: &str) -> bool {
        self.permissions.get(name).is_some_and(|level| level == needed || level == "write")
    }
}

/// The private key of the tests, as PEM. It's public, so never use it for anything else.
pub const TEST_KEY: &str = include_str!("test-key.pem");

/// Returns the key in a PEM text.
fn key_pair(pem: &str) -> RsaKeyPair {
    let base64: String = pem.lines().filter(|line| !line.starts_with("-----")).collect();
    let der = BASE64_STANDARD.decode(base64.trim()).expect("a PEM text");
    RsaKeyPair::from_der(&der).expect("a private RSA key")
}

/// Returns the public key of the tests.
pub(super) fn public_key() -> Vec<u8> {
    key_pair(TEST_KEY).public().as_ref().to_vec()
}

/// Returns a JSON web token with these claims, signed with a private key (RS256).
pub fn sign_jwt(pem: &str, claims: &Value) -> String {
    let header = json!({ "alg": "RS256", "typ": "JWT" });
    let part = |value: &Value| BASE64_URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(&header), part(claims));
    let pair = key_pair(pem);
    let mut bytes = vec![0; pair.public().modulus_len()];
    pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), signed.as_bytes(), &mut bytes).expect("a signature");
    format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

/// Returns the claims of a JSON web token whose signature is right.
pub(super) fn verified_claims(public_key: &[u8], jwt: &str) -> Option<Value> {
    let (signed, bytes) = jwt.rsplit_once('.')?;
    let (header, claims) = signed.split_once('.')?;
    let decode = |part: &str| serde_json::from_slice::<Value>(&BASE64_URL_SAFE_NO_PAD.decode(part).ok()?).ok();
    if decode(header)?["alg"] != "RS256" {
        return None;
    }
    let bytes = BASE64_URL_SAFE_NO_PAD.decode(bytes).ok()?;
    UnparsedPublicKey::new(&RSA_PKCS1_2048_8192_SHA256, public_key).verify(signed.as_bytes(), &bytes).ok()?;
    decode(claims)
}

/// Returns the value of `X-Hub-Signature-256` for a body.
pub fn signature(secret: &str, body: &[u8]) -> String {
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_bytes()).expect("a key of any length");
    mac.update(body);
    let hex: String = mac.finalize().into_bytes().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256={hex}")
}
