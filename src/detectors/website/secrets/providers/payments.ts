import { secretsChecks } from '../checks.ts';
import { around, onlyNear, type SecretRule } from '../rule.ts';
import { rulesOf } from '../shape.ts';

/** Keys of test modes reach no money, but are often copies of how the live key is kept. */
const test = { severity: 'low' } as const;
const high = { severity: 'high' } as const;

/** Whether a match with letters of both cases and digits is all of a string. */
const isWholeText = ({ 0: text, input, index }: RegExpExecArray) =>
  /["'`]/.test(input[index - 1] ?? '') &&
  input[index - 1] === input[index + text.length] &&
  /[a-z]/.test(text.slice(4)) &&
  /[A-Z]/.test(text.slice(4)) &&
  /\d/.test(text);

/** Payments, billing and shops. Publishable keys and client secrets of a single payment are not secrets. */
export const paymentRules: readonly SecretRule[] = [
  ...rulesOf(secretsChecks.paymentKey, [
    [
      'stripe-live-key',
      'a live secret key of Stripe, or of a service with the same key format (Clerk, Paystack)',
      ['(sk_live_|rk_live_|sk_org_live_){16-250 b62}', '(sk_prod_|rk_prod_){16-250 b62}'],
    ],
    [
      'stripe-test-key',
      'a test mode secret key of Stripe, or of a service with the same key format',
      '(sk_test_|rk_test_){16-250 b62}',
      test,
    ],
    ['webhook-signing-secret', 'a webhook signing secret', 'whsec_{32-100 b64}', high],
    [
      'square-token',
      'a Square access token',
      'EAAA{60 b64u}',
      {
        // Binary data begins like this too, but is rarely a whole text of this length.
        looksAround: true,
        accepts: match => /square/i.test(around(match, 300)) || isWholeText(match),
      },
    ],
    ['square-secret', 'a Square application secret', '(sq0csp-|sq0atp-){22-50 b64u}'],
    ['square-sandbox-secret', 'a Square sandbox secret', 'sandbox-(sq0csb|sq0csp|sq0atb)-{22-50 b64u}', test],
    ['braintree-token', 'a Braintree access token', 'access_token$production($){16 lower}($){32 hex}'],
    [
      'braintree-sandbox-token',
      'a Braintree sandbox token',
      'access_token$sandbox($){16 lower}($){32 hex}',
      test,
    ],
    [
      'flutterwave-key',
      'a Flutterwave secret key',
      ['FLWSECK-{32 lower}-X', 'FLWSECK-{12-40 hex}-X', 'FLWSECK-{32 hex}-{8-16 lower}-X'],
    ],
    [
      'flutterwave-test-key',
      'a Flutterwave test key',
      ['FLWSECK_TEST-{32 lower}-X', 'FLWSECK_TEST-{12 lower}'],
      test,
    ],
    ['plaid-token', 'a Plaid access token', 'access-production-{uuid}'],
    ['plaid-test-token', 'a Plaid test token', 'access-(sandbox|development)-{uuid}', test],
    ['adyen-key', 'an Adyen API key', 'AQE{80-140 b64}=-{40-46 b64}-{10-30 token}'],
    [
      'mercadopago-token',
      'a Mercado Pago access token',
      'APP_USR-{12-17 digit}-{6 digit}-{32 hex}-{6-12 digit}',
    ],
    ['pagarme-key', 'a Pagar.me key', 'ak_live_{30 b62}'],
    ['mollie-key', 'a Mollie key', 'live_{30-34 b62}', onlyNear(/mollie/i)],
    ['gocardless-token', 'a GoCardless token', 'live_{40 b64u}', onlyNear(/gocardless/i)],
    ['lob-key', 'a Lob key', 'live_{35 hex}'],
    ['lob-test-key', 'a Lob test key', 'test_{35 hex}', test],
    ['easypost-key', 'an EasyPost key', 'EZAK{54 b62}'],
    ['easypost-test-key', 'an EasyPost test key', 'EZTK{54 b62}', test],
    ['shippo-token', 'a Shippo token', 'shippo_live_{40 Hex}'],
    ['shippo-test-token', 'a Shippo test token', 'shippo_test_{40 Hex}', test],
    ['duffel-token', 'a Duffel token', 'duffel_live_{43 b64u}'],
    ['duffel-test-token', 'a Duffel test token', 'duffel_test_{43 b64u}', test],
    ['checkout-key', 'a Checkout.com secret key', 'sk_{uuid}'],
    ['checkout-test-key', 'a Checkout.com test key', 'sk_test_{uuid}', test],
    ['recharge-key', 'a Recharge key', '(sk_1x|sk_2x|sk_3x|sk_5x|sk_10x)(1|2|3)_{64 Hex}'],
    ['ramp-secret', 'a Ramp client secret', 'ramp_sec_{48 b62}'],
    ['xendit-key', 'a Xendit secret key', 'xnd_production_{40-80 b62}'],
    ['xendit-test-key', 'a Xendit test key', 'xnd_development_{40-80 b62}', test],
    ['midtrans-key', 'a Midtrans server key', 'Mid-server-{24 b64u}'],
    ['midtrans-test-key', 'a Midtrans sandbox key', 'SB-Mid-server-{24 b64u}', test],
    ['paddle-key', 'a Paddle API key', 'pdl_live_apikey_{26 lower}_{22 b62}_{3 b62}'],
    ['paddle-test-key', 'a Paddle sandbox key', 'pdl_sdbx_apikey_{26 lower}_{22 b62}_{3 b62}', test],
    ['polar-token', 'a Polar token', '(polar_oat_|polar_pat_){40-60 b62}'],
    ['fleetbase-key', 'a Fleetbase key', 'flb_live_{20 b62}'],
    ['tickettailor-key', 'a Ticket Tailor key', 'sk_{4 digit}_{6 digit}_{32 hex}'],
    ['woocommerce-secret', 'a WooCommerce consumer secret', 'cs_{40 hex}'],
    [
      'razorpay-key',
      'a Razorpay key with its secret',
      'rzp_live_{14 b62}',
      { hasPartner: true, ...onlyNear(/secret["'\s\\]{0,4}[:=,]["'\s\\]{0,4}[0-9A-Za-z]{24}(?!\w)/i) },
    ],
  ]),
  ...rulesOf(secretsChecks.apiToken, [
    [
      'shopify-token',
      'a Shopify access token or app secret',
      '(shpat_|shpca_|shppa_|shpss_|shpua_|shprt_|shptka_){32 Hex}',
    ],
    ['flexport-token', 'a Flexport token', 'shltm_{40 b64u}'],
    ['aftership-key', 'an AfterShip key', 'asat_{32 hex}'],
  ]),
];
