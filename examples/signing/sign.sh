#!/usr/bin/env bash
# Send a signed request: sign.sh METHOD PATH [BODY]
# Check offline:         sign.sh --self-check docs/test-vector.json
# Needs bash, OpenSSL 3 and curl. Environment: PARAPET_URL, PARAPET_TOKEN, PARAPET_TOKEN_ID, PARAPET_SIGNING_KEY.
set -euo pipefail

work=$(mktemp -d) # mode 0700: it contains the key and token while this runs
trap 'rm -rf "$work"' EXIT

# Writes the private key of "svc_sign_" + base64url to a file, as PKCS#8 DER.
write_key() {
  printf '%s' "${1#svc_sign_}" | tr '_-' '/+' | openssl base64 -d -A >"$work/key.der"
}

# digest BODY: lowercase hex SHA-256 of exactly these bytes.
digest() {
  printf '%s' "$1" | openssl dgst -sha256 -r | cut -d' ' -f1
}

# canonical METHOD PATH TIMESTAMP NONCE BODY TOKEN_ID: the message to sign, without the query string.
canonical() {
  printf 'v2|%s|%s|%s|%s|application/json|%s|%s|2' "$1" "${2%%\?*}" "$3" "$4" "$(digest "$5")" "$6"
}

# signature MESSAGE: 128 lowercase hex characters. OpenSSL signs Ed25519 only from a file.
signature() {
  printf '%s' "$1" >"$work/message"
  openssl pkeyutl -sign -rawin -inkey "$work/key.der" -keyform DER -in "$work/message" | od -An -v -tx1 | tr -d ' \n'
}

# field NAME FILE: the values of a field, one per line. Sufficient for the test vector, which has one field per line.
field() {
  sed -n "s/^ *\"$1\": \"\(.*\)\",\{0,1\}\$/\1/p" "$2" | sed 's/\\"/"/g'
}

self_check() {
  local file=$1 token_id count i message
  nth() { field "$1" "$file" | sed -n "${i}p"; }
  write_key "$(field signing_key "$file")"
  token_id=$(field token_id "$file")
  count=$(field method "$file" | grep -c .)
  for ((i = 1; i <= count; i++)); do
    message=$(canonical "$(nth method)" "$(nth path)" "$(nth timestamp)" "$(nth nonce)" "$(nth body)" "$token_id")
    if [[ $message != "$(nth canonical_message)" || $(signature "$message") != "$(nth signature)" ]]; then
      echo "differs: $(nth method) $(nth path)" >&2
      exit 1
    fi
    echo "ok: $(nth method) $(nth path)" >&2
  done
}

send() {
  local method=$1 path=$2 body=${3-} timestamp nonce status
  : "${PARAPET_URL:?}" "${PARAPET_TOKEN:?}" "${PARAPET_TOKEN_ID:?}" "${PARAPET_SIGNING_KEY:?}"
  local request=(--request "$method" --data-binary "@$work/body")
  case $method in
    HEAD) body='' request=(--head) ;;
    GET | DELETE) body='' request=(--request "$method") ;;
  esac
  timestamp=$(date +%s)
  nonce=$(openssl rand -hex 16)
  write_key "$PARAPET_SIGNING_KEY"

  # In a file, because other users can see a command's arguments.
  cat >"$work/headers" <<END
Authorization: Bearer $PARAPET_TOKEN
Content-Type: application/json
x-service-timestamp: $timestamp
x-service-nonce: $nonce
x-service-token-id: $PARAPET_TOKEN_ID
x-service-signature: $(signature "$(canonical "$method" "$path" "$timestamp" "$nonce" "$body" "$PARAPET_TOKEN_ID")")
END
  printf '%s' "$body" >"$work/body"
  status=$(curl --silent --show-error --globoff --path-as-is "${request[@]}" --header "@$work/headers" \
    --output "$work/answer" --write-out '%{http_code}' "${PARAPET_URL%/}$path")
  echo "HTTP $status" >&2
  [[ $method == HEAD || ! -f $work/answer ]] || cat "$work/answer"
  [[ $status == 2?? ]]
}

if [[ ${1-} == --self-check && $# == 2 ]]; then
  self_check "$2"
elif [[ $# == 2 || $# == 3 ]]; then
  send "$@"
else
  echo "usage: sign.sh METHOD PATH [BODY] | sign.sh --self-check FILE" >&2
  exit 2
fi
