// Send a signed request: go run sign.go METHOD PATH [BODY]
// Check offline:         go run sign.go --self-check docs/test-vector.json
// Needs Go 1.19 or newer. Environment: PARAPET_URL, PARAPET_TOKEN, PARAPET_TOKEN_ID, PARAPET_SIGNING_KEY.
package main

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// readKey reads "svc_sign_" + base64url of the private key's PKCS#8 DER.
func readKey(signingKey string) (ed25519.PrivateKey, error) {
	der, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(signingKey, "svc_sign_"))
	if err != nil {
		return nil, err
	}
	key, err := x509.ParsePKCS8PrivateKey(der)
	if err != nil {
		return nil, err
	}
	private, ok := key.(ed25519.PrivateKey)
	if !ok {
		return nil, errors.New("the signing key is not an Ed25519 key")
	}
	return private, nil
}

// canonicalMessage returns the message to sign, without the query string and without the path of PARAPET_URL.
func canonicalMessage(method, path, timestamp, nonce string, body []byte, tokenID string) string {
	pathname, _, _ := strings.Cut(path, "?")
	digest := sha256.Sum256(body)
	return strings.Join([]string{
		"v2", method, pathname, timestamp, nonce, "application/json", hex.EncodeToString(digest[:]), tokenID, "2",
	}, "|")
}

// signature returns 128 lowercase hex characters.
func signature(message string, key ed25519.PrivateKey) string {
	return hex.EncodeToString(ed25519.Sign(key, []byte(message)))
}

func selfCheck(file string) error {
	var vector struct {
		SigningKey string `json:"signing_key"`
		TokenID    string `json:"token_id"`
		Requests   []struct {
			Method, Path, Timestamp, Nonce, Body, Signature string
			CanonicalMessage                                string `json:"canonical_message"`
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &vector); err != nil {
		return err
	}
	key, err := readKey(vector.SigningKey)
	if err != nil {
		return err
	}
	if len(vector.Requests) == 0 {
		return errors.New("no requests in this file")
	}
	for _, r := range vector.Requests {
		message := canonicalMessage(r.Method, r.Path, r.Timestamp, r.Nonce, []byte(r.Body), vector.TokenID)
		if message != r.CanonicalMessage || signature(message, key) != r.Signature {
			return fmt.Errorf("differs: %s %s", r.Method, r.Path)
		}
		fmt.Fprintln(os.Stderr, "ok:", r.Method, r.Path)
	}
	return nil
}

func send(method, path string, body []byte) error {
	if method == "GET" || method == "HEAD" || method == "DELETE" {
		body = nil
	}
	key, err := readKey(os.Getenv("PARAPET_SIGNING_KEY"))
	if err != nil {
		return fmt.Errorf("PARAPET_SIGNING_KEY: %w", err)
	}
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return err
	}
	nonce := hex.EncodeToString(random)
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	tokenID := os.Getenv("PARAPET_TOKEN_ID")

	url := strings.TrimSuffix(os.Getenv("PARAPET_URL"), "/") + path
	request, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PARAPET_TOKEN"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("x-service-timestamp", timestamp)
	request.Header.Set("x-service-nonce", nonce)
	request.Header.Set("x-service-token-id", tokenID)
	request.Header.Set("x-service-signature",
		signature(canonicalMessage(method, path, timestamp, nonce, body, tokenID), key))

	// A signature is valid for one path of one service, so redirects are not followed.
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	fmt.Fprintln(os.Stderr, "HTTP", response.StatusCode)
	if _, err := io.Copy(os.Stdout, response.Body); err != nil {
		return err
	}
	if response.StatusCode < 200 || response.StatusCode > 299 {
		os.Exit(1)
	}
	return nil
}

func main() {
	arguments := os.Args[1:]
	var err error
	switch {
	case len(arguments) == 2 && arguments[0] == "--self-check":
		err = selfCheck(arguments[1])
	case len(arguments) == 2:
		err = send(arguments[0], arguments[1], nil)
	case len(arguments) == 3:
		err = send(arguments[0], arguments[1], []byte(arguments[2]))
	default:
		fmt.Fprintln(os.Stderr, "usage: sign.go METHOD PATH [BODY] | sign.go --self-check FILE")
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
