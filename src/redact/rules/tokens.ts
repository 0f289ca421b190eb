import { isPlausible, looksLikeKey, looksRandom } from '../judge.ts'
import { combinations, type Rule, tokenRule } from '../rule.ts'

const word = '[A-Za-z0-9_-]'
const alphanumeric = '[A-Za-z0-9]'
const end = '(?![A-Za-z0-9_-])'

const modelVendors: Rule[] = [
  tokenRule('anthropic-key', ['sk-ant-'], `sk-ant-${word}{20,}`),
  tokenRule('openrouter-key', ['sk-or-'], `sk-or-${word}{20,}`),
  tokenRule('openai-key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], `sk-(?:proj|svcacct|admin)-${word}{20,}`),
  tokenRule('model-key', ['sk-'], `sk-${word}{20,}`, looksLikeKey),
  tokenRule('groq-key', ['gsk_'], `gsk_${alphanumeric}{32,}`),
  tokenRule('xai-key', ['xai-'], `xai-${alphanumeric}{32,}`),
  tokenRule('hugging-face-token', ['hf_'], `hf_${alphanumeric}{30,}`),
  tokenRule('replicate-token', ['r8_'], `r8_${alphanumeric}{37}${end}`),
  tokenRule('elevenlabs-key', ['sk_'], `sk_[0-9a-f]{40,}${end}`),
  tokenRule('model-key', ['pplx-', 'nvapi-', 'csk-'], `(?:pplx|nvapi|csk)-${word}{32,}`, looksLikeKey),
  tokenRule('search-key', ['tvly-'], `tvly-${word}{20,}`, looksLikeKey),
  tokenRule('search-key', ['BSA'], `BSA${word}{27,28}${end}`, looksRandom),
]

const codeHosts: Rule[] = [
  tokenRule('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], `gh[pousr]_${alphanumeric}{36,}`),
  tokenRule('github-token', ['github_pat_'], `github_pat_${word}{22,}`),
  tokenRule(
    'gitlab-token',
    ['glpat-', 'gldt-', 'glrt-', 'glptt-'],
    `gl(?:pat|dt|rt|ptt)-[A-Za-z0-9_.-]{20,}`,
  ),
  tokenRule('atlassian-token', ['ATATT3'], `ATATT3[A-Za-z0-9_=-]{60,}`),
]

const clouds: Rule[] = [
  tokenRule('aws-access-key-id', ['AKIA', 'ASIA'], `A[KS]IA[A-Z0-9]{16}${end}`),
  tokenRule('google-api-key', ['AIza'], `AIza${word}{35}${end}`),
  tokenRule('google-access-token', ['ya29.'], `ya29\\.[A-Za-z0-9_.-]{20,}`),
  tokenRule('google-client-secret', ['GOCSPX-'], `GOCSPX-${word}{28}`),
  tokenRule('google-refresh-token', ['1//0'], `1//0${word}{40,}`),
  {
    kind: 'azure-client-secret',
    triggers: combinations('0123456789', 'Q', '~'),
    // The three characters before belong to the secret, too; without the rest they open nothing.
    pattern: /(?<=[A-Za-z0-9_~.-]{3})\dQ~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9])/y,
    judge: isPlausible,
  },
  tokenRule('digitalocean-token', ['dop_v1_', 'doo_v1_'], `do[op]_v1_[0-9a-f]{64}`),
  tokenRule('vault-token', ['hvs.'], `hvs\\.${word}{24,}`),
  tokenRule('tailscale-key', ['tskey-'], `tskey-${word}{20,}`),
]

/** A Discord token opens with its account number in base64, and digits encode to few letters. */
const discordStarts = combinations('MNO', 'DTjz', 'AEIMQUYcgk')

const chat: Rule[] = [
  {
    kind: 'telegram-bot-token',
    triggers: [':AA'],
    // The number before the colon is the public id of the bot, and tells the reader which one it was.
    pattern: /(?<=(?<!\d)(?:bot)?\d{8,10}):(AA[A-Za-z0-9_-]{32,34})(?![A-Za-z0-9_-])/y,
    judge: isPlausible,
  },
  tokenRule(
    'slack-token',
    combinations('x', 'o', 'x', 'abeprs', '-'),
    `xox[abeprs](?:\\.xox[a-z])?-[A-Za-z0-9-]{10,}`,
  ),
  tokenRule('slack-token', ['xapp-'], `xapp-[A-Za-z0-9-]{20,}`),
  {
    kind: 'slack-webhook',
    triggers: ['hooks.slack.com/'],
    pattern: /hooks\.slack\.com\/(?:services|workflows|triggers)\/([A-Za-z0-9/_-]{20,})/y,
    judge: isPlausible,
  },
  tokenRule('discord-token', discordStarts, `[MNO]${word}{22,28}\\.${word}{6}\\.${word}{27,}`),
  {
    kind: 'discord-webhook',
    triggers: ['/api/webhooks/'],
    pattern: /\/api\/webhooks\/\d{15,21}\/([A-Za-z0-9_-]{60,})/y,
    judge: isPlausible,
  },
]

const payment: Rule[] = [
  tokenRule(
    'stripe-key',
    ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'],
    `[sr]k_(?:live|test)_${alphanumeric}{16,}`,
  ),
  tokenRule('webhook-secret', ['whsec_'], `whsec_[A-Za-z0-9+/]{24,}={0,2}`),
  tokenRule('shopify-token', ['shpat_', 'shpss_', 'shpca_'], `shp(?:at|ss|ca)_[0-9a-fA-F]{32}`),
]

const registries: Rule[] = [
  tokenRule('npm-token', ['npm_'], `npm_${alphanumeric}{36}${end}`),
  tokenRule('pypi-token', ['pypi-'], `pypi-${word}{50,}`, looksLikeKey),
  tokenRule('docker-token', ['dckr_pat_'], `dckr_pat_${word}{20,}`),
]

const mailAndServices: Rule[] = [
  tokenRule('sendgrid-key', ['SG.'], `SG\\.${word}{16,64}\\.${word}{16,}`),
  tokenRule('twilio-key', combinations('S', 'K', '0123456789abcdef'), `SK[0-9a-f]{32}${end}`),
  tokenRule('linear-key', ['lin_api_'], `lin_api_${alphanumeric}{32,}`),
  tokenRule('notion-token', ['ntn_'], `ntn_${alphanumeric}{40,}`),
]

const databases: Rule[] = [
  tokenRule('supabase-key', ['sbp_'], `sbp_[0-9a-f]{40}`),
  tokenRule('supabase-key', ['sb_secret_'], `sb_secret_${word}{20,}`),
  tokenRule('planetscale-token', ['pscale_'], `pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,}`),
]

/** Tokens that say by their own first letters whose they are. */
export const tokens: readonly Rule[] = [
  ...modelVendors,
  ...codeHosts,
  ...clouds,
  ...chat,
  ...payment,
  ...registries,
  ...mailAndServices,
  ...databases,
]
