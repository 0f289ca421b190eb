import { looksRandom } from '../judge.ts'
import { alphanumeric, end, loneTokenRule, type Rule, tokenRule, uuid, word } from '../rule.ts'

/** Keys to payment services. */
export const payment: readonly Rule[] = [
  tokenRule(
    'stripe-key',
    ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_', 'sk_org_'],
    `[sr]k_(?:org_)?(?:live|test|prod)_${alphanumeric}{16,}`,
  ),
  tokenRule('webhook-secret', ['whsec_'], 'whsec_[A-Za-z0-9+/]{24,}={0,2}'),
  tokenRule('shopify-token', ['shpat_', 'shpss_', 'shpca_', 'shppa_'], 'shp(?:at|ss|ca|pa)_[0-9a-fA-F]{32}'),
  tokenRule('square-token', ['sq0atp-', 'sq0csp-'], `sq0(?:atp|csp)-${word}{22,43}`),
  loneTokenRule('square-token', ['EAAA'], `EAAA${word}{60}`, looksRandom),
  tokenRule(
    'braintree-token',
    ['access_token$'],
    'access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$[0-9a-f]{32}',
  ),
  tokenRule('plaid-token', ['access-'], `access-(?:sandbox|development|production)-${uuid}`),
  tokenRule('easypost-key', ['EZAK', 'EZTK'], `EZ[AT]K${alphanumeric}{54}${end}`),
  tokenRule('shippo-token', ['shippo_'], 'shippo_(?:live|test)_[0-9a-f]{40}'),
  tokenRule('flutterwave-key', ['FLWSECK'], `FLWSECK(?:_TEST)?-${alphanumeric}{12,}`),
]
