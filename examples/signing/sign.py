#!/usr/bin/env python3
"""Send a signed request: sign.py METHOD PATH [BODY]
Check offline:         sign.py --self-check docs/test-vector.json

Needs Python 3.8 or newer, and the package "cryptography" or the openssl command (version 3): Python's standard library has no
Ed25519.
Environment: PARAPET_URL, PARAPET_TOKEN, PARAPET_TOKEN_ID, PARAPET_SIGNING_KEY.
"""

import base64
import hashlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

try:
    from cryptography.hazmat.primitives.serialization import load_der_private_key
except ImportError:
    load_der_private_key = None


def canonical_message(method, path, timestamp, nonce, body, token_id):
    """The message to sign, without the query string and without the path of PARAPET_URL."""
    pathname = path.split("?")[0]
    digest = hashlib.sha256(body).hexdigest()
    return "|".join(["v2", method, pathname, timestamp, nonce, "application/json", digest, token_id, "2"])


def signature(message, signing_key):
    """128 lowercase hex characters. The key is "svc_sign_" + base64url of the private key's PKCS#8 DER."""
    encoded = signing_key[len("svc_sign_"):] if signing_key.startswith("svc_sign_") else signing_key
    der = base64.urlsafe_b64decode(encoded)
    if load_der_private_key is not None:
        return load_der_private_key(der, password=None).sign(message.encode()).hex()
    return sign_with_openssl(message.encode(), der).hex()


def sign_with_openssl(message, der):
    with tempfile.TemporaryDirectory() as work:  # mode 0700
        key_file, message_file = os.path.join(work, "key.der"), os.path.join(work, "message")
        for name, content in ((key_file, der), (message_file, message)):
            with open(name, "wb") as file:
                file.write(content)
        command = ["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", key_file, "-keyform", "DER", "-in", message_file]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


def self_check(file_name):
    with open(file_name, encoding="utf-8") as file:
        vector = json.load(file)
    failed = False
    for wanted in vector["requests"]:
        body = wanted["body"].encode()
        message = canonical_message(
            wanted["method"], wanted["path"], wanted["timestamp"], wanted["nonce"], body, vector["token_id"]
        )
        same = message == wanted["canonical_message"]
        same = same and signature(message, vector["signing_key"]) == wanted["signature"]
        failed = failed or not same
        print("ok:" if same else "differs:", wanted["method"], wanted["path"], file=sys.stderr)
    return 1 if failed else 0


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """A signature is valid for one path of one service, so redirects are not followed."""

    def redirect_request(self, *arguments):
        return None


def send(method, path, body):
    body = b"" if method in ("GET", "HEAD", "DELETE") else body
    timestamp = str(int(time.time()))
    nonce = secrets.token_hex(16)
    token_id = needed("PARAPET_TOKEN_ID")
    message = canonical_message(method, path, timestamp, nonce, body, token_id)
    request = urllib.request.Request(
        needed("PARAPET_URL").rstrip("/") + path,
        method=method,
        data=body or None,
        headers={
            "Authorization": "Bearer " + needed("PARAPET_TOKEN"),
            "Content-Type": "application/json",
            "x-service-timestamp": timestamp,
            "x-service-nonce": nonce,
            "x-service-token-id": token_id,
            "x-service-signature": signature(message, needed("PARAPET_SIGNING_KEY")),
        },
    )
    try:
        response = urllib.request.build_opener(NoRedirect).open(request)
    except urllib.error.HTTPError as error:
        response = error
    print("HTTP", response.status, file=sys.stderr)
    sys.stdout.buffer.write(response.read())
    return 0 if 200 <= response.status < 300 else 1


def needed(name):
    value = os.environ.get(name)
    if not value:
        print(name, "is not set", file=sys.stderr)
        sys.exit(2)
    return value


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if len(arguments) == 2 and arguments[0] == "--self-check":
        sys.exit(self_check(arguments[1]))
    if len(arguments) not in (2, 3):
        sys.exit("usage: sign.py METHOD PATH [BODY] | sign.py --self-check FILE")
    sys.exit(send(arguments[0], arguments[1], os.fsencode(arguments[2]) if len(arguments) == 3 else b""))
