import { isPlausible, looksLikeKey, looksRandom } from '../judge.ts'
import {
  alphanumeric,
  combinations,
  end,
  endRule,
  loneTokenRule,
  type Rule,
  tokenRule,
  word,
} from '../rule.ts'

/** Keys to machines and storage, and to the services that run on them. */
export const clouds: readonly Rule[] = [
  tokenRule('aws-access-key-id', ['AKIA', 'ASIA'], `A[KS]IA[A-Z0-9]{16}${end}`),
  tokenRule(
    'aws-session-token',
    ['IQoJb3JpZ2lu', 'FwoGZXIvYXdz'],
    '(?:IQoJb3JpZ2lu|FwoGZXIvYXdz)(?:[A-Za-z0-9+/]|%2[BbFf]){60,}(?:=|%3[Dd]){0,2}',
  ),
  tokenRule('aws-bedrock-key', ['ABSK'], 'ABSK[A-Za-z0-9+/]{109,269}={0,2}'),
  tokenRule('aws-bedrock-key', ['bedrock-api-key-'], 'bedrock-api-key-[A-Za-z0-9+/]{40,}={0,2}'),
  tokenRule('google-api-key', ['AIza'], `AIza${word}{35}${end}`),
  tokenRule('google-api-key', ['AQ.'], `AQ\\.Ab8${word}{46,}`),
  tokenRule('google-access-token', ['ya29.'], 'ya29\\.[A-Za-z0-9_.-]{20,}'),
  tokenRule('google-client-secret', ['GOCSPX-'], `GOCSPX-${word}{28}`),
  tokenRule('google-refresh-token', ['1//0'], `1//0${word}{40,}`),
  {
    kind: 'azure-client-secret',
    triggers: combinations('0123456789', 'Q', '~'),
    pattern: /(?<=(?<before>[A-Za-z0-9_~.-]{3}))(\dQ~[A-Za-z0-9_~.-]{31,34})(?![A-Za-z0-9])/y,
    judge: isPlausible,
  },
  tokenRule('alibaba-key', ['LTAI'], `LTAI${alphanumeric}{17,21}${end}`, looksLikeKey),
  tokenRule('digitalocean-token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], 'do[opr]_v1_[0-9a-f]{64}'),
  tokenRule('heroku-key', ['HRKU-'], `HRKU-${word}{36,}`),
  tokenRule('fly-token', ['fo1_'], `fo1_${word}{40,}`),
  // Several tokens may be joined by commas.
  tokenRule(
    'fly-token',
    ['fm1', 'fm2'],
    'fm[12][ar]?_[A-Za-z0-9+/]{60,}={0,2}(?:,fm[12][ar]?_[A-Za-z0-9+/]{60,}={0,2}){0,8}',
  ),
  tokenRule('vercel-token', ['vcp_', 'vck_', 'vca_', 'vcr_', 'vci_'], `vc[pkari]_${alphanumeric}{24,}`),
  tokenRule('netlify-token', ['nfp_', 'nfc_', 'nfo_', 'nfu_', 'nfb_'], `nf[pcoub]_${alphanumeric}{36,}`),
  tokenRule('render-key', ['rnd_'], `rnd_${alphanumeric}{28,}`, looksLikeKey),
  tokenRule('cloudflare-key', ['v1.0-'], 'v1\\.0-[0-9a-f]{24}-[0-9a-f]{140,}'),
  tokenRule('cloudflare-key', ['cfut_', 'cfat_', 'cfk_'], `cf(?:ut|at|k)_${alphanumeric}{40,}`),
  tokenRule('vault-token', ['hvs.', 'hvb.', 'hvr.'], `hv[sbr]\\.${word}{24,}`),
  // The format of older servers.
  loneTokenRule('vault-token', ['s.'], `s\\.${alphanumeric}{24}(?:\\.${alphanumeric}{5})?`, isMixed),
  endRule('terraform-token', ['.atlasv1.'], `${alphanumeric}{14}`, `\\.atlasv1\\.${word}{60,}`),
  tokenRule('pulumi-token', ['pul-'], `pul-[0-9a-f]{40}${end}`),
  tokenRule(
    'doppler-token',
    ['dp.'],
    `dp\\.(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?${alphanumeric}{40,44}`,
  ),
  tokenRule('infisical-token', ['st.'], 'st\\.[0-9a-f]{24}\\.[0-9a-f]{32,64}(?:\\.[0-9a-f]{32,64})?'),
  tokenRule('tailscale-key', ['tskey-'], `tskey-${word}{20,}`),
  tokenRule('1password-token', ['ops_eyJ'], `ops_eyJ${word}{100,}={0,2}`),
  tokenRule(
    '1password-secret-key',
    ['A3-'],
    'A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}',
  ),
  tokenRule('openshift-token', ['sha256~'], `sha256~${word}{43}${end}`),
  tokenRule('scalingo-token', ['tk-us-'], `tk-us-${word}{48}`),
  tokenRule('infracost-key', ['ico-'], `ico-${alphanumeric}{32}${end}`, looksLikeKey),
  tokenRule('defined-networking-key', ['dnkey-'], `dnkey-${word}{26}-${word}{52}`),
  tokenRule('runpod-key', ['rpa_'], `rpa_${alphanumeric}{40,}`),
  tokenRule('e2b-key', ['e2b_'], 'e2b_[0-9a-f]{40}'),
  tokenRule('databricks-token', ['dapi'], `dapi[0-9a-f]{32}(?:-\\d)?${end}`),
  endRule(
    'convex-key',
    ['|eyJ', '|01'],
    '(?:prod|dev|preview|project):[a-z0-9:-]{3,80}',
    '\\|[A-Za-z0-9+/=_-]{40,400}',
  ),
  tokenRule('prefect-key', ['pnu_', 'pnb_'], `pn[ub]_${alphanumeric}{36}`),
]

/** Identifiers in code also follow `s.`, but have no digits among their letters. */
function isMixed(secret: string): boolean {
  return /\d/.test(secret) && looksRandom(secret.slice(2))
}
