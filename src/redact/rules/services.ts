import { isPlausible, looksLikeKey, looksRandom } from '../judge.ts'
import {
  alphanumeric,
  combinations,
  end,
  endRule,
  loneTokenRule,
  type Rule,
  tokenRule,
  uuid,
  word,
} from '../rule.ts'

const mail: readonly Rule[] = [
  tokenRule('sendgrid-key', ['SG.'], `SG\\.${word}{16,64}\\.${word}{16,}`),
  tokenRule('mailgun-key', ['key-'], `key-[0-9a-f]{32}${end}`),
  {
    kind: 'mailgun-key',
    triggers: ['mailgun'],
    anyCase: true,
    pattern: /mailgun[^\r\n]{0,80}?(?<![0-9a-f])([0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8})(?![0-9a-f-])/iy,
    judge: isPlausible,
  },
  endRule('mailchimp-key', ['-us'], '[0-9a-f]{32}', '-us\\d{1,2}'),
  tokenRule('brevo-key', ['xkeysib-', 'xsmtpsib-'], `x(?:key|smtp)sib-[0-9a-f]{64}-${alphanumeric}{16}`),
  tokenRule('resend-key', ['re_'], `re_${alphanumeric}{8}_${alphanumeric}{24}`, looksLikeKey),
  tokenRule('twilio-key', combinations('S', 'K', '0123456789abcdef'), `SK[0-9a-f]{32}${end}`),
]

const watching: readonly Rule[] = [
  tokenRule('sentry-token', ['sntryu_'], 'sntryu_[0-9a-f]{64}'),
  tokenRule('sentry-token', ['sntrys_'], 'sntrys_[A-Za-z0-9+/=_]{80,}'),
  tokenRule(
    'newrelic-key',
    ['NRAK-', 'NRII-', 'NRIQ-', 'NRJS-'],
    `NR(?:AK|II|IQ|JS)-${word}{19,}`,
    looksLikeKey,
  ),
  endRule('newrelic-key', ['NRAL'], '(?:eu01xx)?[0-9a-f]{30,36}', 'NRAL'),
  tokenRule('grafana-token', ['glsa_'], `glsa_${alphanumeric}{32}_[0-9a-fA-F]{8}`),
  tokenRule('grafana-token', ['glc_'], 'glc_eyJ[A-Za-z0-9+/]{40,}={0,2}'),
  tokenRule('grafana-token', ['eyJrIjoi'], 'eyJrIjoi[A-Za-z0-9]{70,}={0,2}'),
  tokenRule('posthog-key', ['phx_'], `phx_${alphanumeric}{40,}`),
  tokenRule('wakatime-key', ['waka_'], `waka_${uuid}`),
  tokenRule('dynatrace-token', ['dt0'], 'dt0[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
]

const work: readonly Rule[] = [
  tokenRule('linear-key', ['lin_api_', 'lin_oauth_'], `lin_(?:api|oauth)_${alphanumeric}{32,}`),
  tokenRule('notion-token', ['ntn_'], `ntn_${alphanumeric}{40,}`),
  tokenRule('notion-token', ['secret_'], `secret_${alphanumeric}{43}${end}`, looksLikeKey),
  tokenRule('figma-token', ['figd_', 'figr_', 'figo_', 'figu_'], `fig[drou]_${word}{36,}`),
  // As it was until 2024.
  loneTokenRule('airtable-key', ['key'], `key${alphanumeric}{14}`, isMixed),
  tokenRule('airtable-token', ['pat'], `pat${alphanumeric}{14}\\.[0-9a-f]{64}`),
  tokenRule('hubspot-token', ['pat-'], `pat-(?:na|eu|ap)\\d-${uuid}`),
  tokenRule('clickup-token', ['pk_'], 'pk_\\d{6,9}_[A-Z0-9]{32}'),
  tokenRule(
    'asana-token',
    combinations('12', '/', '0123456789'),
    '[12]/\\d{15,16}(?:/\\d{15,16})?:[0-9a-f]{32}',
  ),
  tokenRule('postman-key', ['PMAK-'], 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'),
  tokenRule('dropbox-token', ['sl.'], `sl\\.${word}{120,}={0,2}`),
  tokenRule('dropbox-token', ['sl.u.'], `sl\\.u\\.${word}{80,}={0,2}`),
  tokenRule('mapbox-token', ['sk.eyJ'], `sk\\.eyJ${word}{20,}\\.${word}{20,}`),
  tokenRule('adobe-secret', ['p8e-'], `p8e-[a-z0-9]{32}${end}`, looksLikeKey),
  tokenRule('frameio-token', ['fio-u-'], `fio-u-${word}{64}`),
  endRule('maxmind-key', ['_mmk'], `${alphanumeric}{6}_${alphanumeric}{29}`, '_mmk'),
  tokenRule('contentful-token', ['CFPAT-'], `CFPAT-${word}{43}`),
  tokenRule('typeform-token', ['tfp_'], `tfp_${word}{40,}`, looksLikeKey),
  tokenRule('readme-key', ['rdme_'], `rdme_[0-9a-z]{60,}`),
  tokenRule('launchdarkly-key', ['sdk-', 'api-'], `(?:sdk|api)-${uuid}`),
  tokenRule('adafruit-key', ['aio_'], `aio_${alphanumeric}{28}${end}`, looksLikeKey),
]

const databases: readonly Rule[] = [
  tokenRule('supabase-key', ['sbp_'], 'sbp_(?:v0_|oauth_)?[0-9a-f]{40}'),
  loneTokenRule('clickhouse-key', ['4b1d'], `4b1d${alphanumeric}{38}`, looksLikeKey),
  tokenRule('supabase-key', ['sb_secret_'], `sb_secret_${word}{20,}`),
  tokenRule('planetscale-token', ['pscale_'], 'pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,}'),
  tokenRule(
    'neon-key',
    ['napi_', 'npg_'],
    `(?:napi_${alphanumeric}{40,}|npg_${alphanumeric}{12,}${end})`,
    looksLikeKeyOrShort,
  ),
]

const sealing: readonly Rule[] = [
  tokenRule('age-key', ['AGE-SECRET-KEY-'], 'AGE-SECRET-KEY-(?:PQ-)?1[A-Z0-9]{50,}'),
]

/** Names begin so too, and have no digits among their letters. */
function isMixed(secret: string): boolean {
  return /\d/.test(secret) && looksRandom(secret)
}

/** Passwords that Neon makes are shorter than keys. */
function looksLikeKeyOrShort(secret: string): boolean {
  return looksLikeKey(secret) || (secret.startsWith('npg_') && isPlausible(secret))
}

/** Mail and messages, monitoring, work and design, databases: services that a program logs into. */
export const services: readonly Rule[] = [...mail, ...watching, ...work, ...databases, ...sealing]
