//! The App's key and its signatures: JSON web tokens, and the signatures of webhooks.

use base64::Engine;
use base64::prelude::{BASE64_STANDARD, BASE64_URL_SAFE_NO_PAD};
use hmac::{Hmac, Mac};
use ring::rand::SystemRandom;
use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_SHA256, RsaKeyPair, UnparsedPublicKey};
use serde_json::{Value, json};
use sha2::Sha256;

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
