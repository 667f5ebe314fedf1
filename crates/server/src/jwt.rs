//! [`AppKey`]: proves to GitHub who the App is, with a
//! [signed token](https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app).
//!
//! octocrab would bring a second library for signatures, either large or with a known weakness, so this signs with `ring`, which TLS
//! needs anyway.

use anyhow::{Result, anyhow};
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::rsa::KeyPair;
use ring::signature::RSA_PKCS1_SHA256;
use rustls::pki_types::PrivateKeyDer;
use rustls::pki_types::pem::PemObject;
use serde_json::json;
use table::Timestamp;

/// How far back a token is dated, in seconds, because this machine's clock may be ahead.
const BACKDATE: u64 = 60;
/// How long a token is valid from now on, in seconds. GitHub accepts ten minutes from its date.
const VALID: u64 = 8 * 60;

/// The private key of an App, with the App's ID.
pub(super) struct AppKey {
    app_id: u64,
    key: KeyPair,
}

impl AppKey {
    /// Parses a private key as GitHub hands it out, in PEM.
    ///
    /// # Errors
    /// Returns an error that says what to change if the text isn't an RSA key.
    pub(super) fn parse(app_id: u64, pem: &str) -> Result<AppKey> {
        let der = PrivateKeyDer::from_pem_slice(pem.as_bytes()).map_err(|_| {
            anyhow!(
                "the private key isn't a PEM file that begins with `-----BEGIN RSA PRIVATE KEY-----`. Generate one in the App's \
                 settings"
            )
        })?;
        let key = match &der {
            PrivateKeyDer::Pkcs1(der) => KeyPair::from_der(der.secret_pkcs1_der()),
            PrivateKeyDer::Pkcs8(der) => KeyPair::from_pkcs8(der.secret_pkcs8_der()),
            _ => return Err(anyhow!("the private key isn't an RSA key. Generate one in the App's settings")),
        };
        let key =
            key.map_err(|why| anyhow!("the private key can't be used ({why}). Generate one in the App's settings"))?;
        Ok(AppKey { app_id, key })
    }

    /// Returns a token that GitHub accepts for some minutes.
    ///
    /// # Errors
    /// Returns an error if the operating system has no random numbers.
    pub(super) fn sign(&self, now: Timestamp) -> Result<String> {
        let encode = |part: &serde_json::Value| BASE64_URL_SAFE_NO_PAD.encode(part.to_string());
        let seconds = now.as_millis() / 1_000;
        let claims = json!({ "iat": seconds - BACKDATE, "exp": seconds + VALID, "iss": self.app_id.to_string() });
        let signed = format!("{}.{}", encode(&json!({ "alg": "RS256", "typ": "JWT" })), encode(&claims));
        let mut signature = vec![0; self.key.public().modulus_len()];
        self.key
            .sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), signed.as_bytes(), &mut signature)
            .map_err(|_| anyhow!("the App's key can't sign"))?;
        Ok(format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(signature)))
    }
}
