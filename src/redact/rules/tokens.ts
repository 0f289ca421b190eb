import { isPlausible, isVaried, looksLikeKey, looksRandom } from '../judge.ts'
import {
  alphanumeric,
  combinations,
  end,
  endRule,
  hexDigit,
  loneTokenRule,
  prefixRule,
  type Rule,
  type Trigger,
  tokenRule,
  uuid,
  word,
} from '../rule.ts'

/** Keys to language models, and to search and memory services for agents. */
const modelVendors: readonly Rule[] = [
  prefixRule('anthropic-key', 'sk-ant-', `${word}{20,}`),
  prefixRule('openrouter-key', 'sk-or-', `${word}{20,}`),
  tokenRule('openai-key', ['sk-proj-', 'sk-svcacct-', 'sk-admin-'], `sk-(?:proj|svcacct|admin)-${word}{20,}`),
  prefixRule('langfuse-key', 'sk-lf-', uuid),
  prefixRule('openai-session', 'sess-', `${alphanumeric}{40}${end}`, looksLikeKey),
  prefixRule('model-key', 'sk-', `${word}{20,}`, looksLikeKey),
  prefixRule('groq-key', 'gsk_', `${alphanumeric}{32,}`),
  prefixRule('xai-key', 'xai-', `${alphanumeric}{32,}`),
  prefixRule('hugging-face-token', 'hf_', `${alphanumeric}{30,}`),
  prefixRule('hugging-face-token', 'api_org_', `${alphanumeric}{34}`),
  prefixRule('replicate-token', 'r8_', `${alphanumeric}{37}${end}`),
  prefixRule('elevenlabs-key', 'sk_', `${hexDigit}{40,}${end}`),
  tokenRule('model-key', ['pplx-', 'nvapi-', 'csk-'], `(?:pplx|nvapi|csk)-${word}{32,}`, looksLikeKey),
  prefixRule('fireworks-key', 'fw_', `${alphanumeric}{22,}${end}`, looksLikeKey),
  prefixRule('together-key', 'tgp_v1_', `${word}{32,}`),
  tokenRule('langsmith-key', ['lsv2_', 'ls__'], `ls(?:v2_(?:pt|sk)_${hexDigit}{32}_|__)${hexDigit}{10,}`),
  prefixRule('pinecone-key', 'pcsk_', `${alphanumeric}{4,12}_${alphanumeric}{40,}`),
  prefixRule('llama-cloud-key', 'llx-', `${alphanumeric}{40,}`),
  prefixRule('jina-key', 'jina_', `${hexDigit}{32}${word}{20,}`),
  prefixRule('search-key', 'tvly-', `${word}{20,}`, looksLikeKey),
  prefixRule('search-key', 'fc-', `${hexDigit}{32}${end}`),
  loneTokenRule('search-key', ['BSA'], `BSA${word}{27,28}`, looksRandom),
  prefixRule('voyage-key', 'pa-', `${word}{43}${end}`, looksRandom),
]

/** Keys to machines and storage, and to the services that run on them. */
const clouds: readonly Rule[] = [
  tokenRule('aws-access-key-id', ['AKIA', 'ASIA'], `A[KS]IA[A-Z0-9]{16}${end}`),
  tokenRule(
    'aws-session-token',
    ['IQoJb3JpZ2lu', 'FwoGZXIvYXdz'],
    '(?:IQoJb3JpZ2lu|FwoGZXIvYXdz)(?:[A-Za-z0-9+/]|%2[BbFf]){60,}(?:=|%3[Dd]){0,2}',
  ),
  prefixRule('aws-bedrock-key', 'ABSK', '[A-Za-z0-9+/]{80,269}={0,2}'),
  prefixRule('aws-bedrock-key', 'bedrock-api-key-', '[A-Za-z0-9+/]{40,}={0,2}'),
  prefixRule('google-api-key', 'AIza', `${word}{35}${end}`),
  prefixRule('google-api-key', 'AQ.', `Ab8${word}{46,}`),
  prefixRule('google-access-token', 'ya29.', '[A-Za-z0-9_.-]{20,}'),
  prefixRule('google-client-secret', 'GOCSPX-', `${word}{28}`),
  prefixRule('google-refresh-token', '1//0', `${word}{40,}`),
  {
    kind: 'azure-client-secret',
    triggers: combinations('0123456789', 'Q', '~'),
    pattern: /(?<=(?<before>[A-Za-z0-9_~.-]{3}))(\dQ~[A-Za-z0-9_~.-]{31,34})(?![A-Za-z0-9])/y,
    judge: isPlausible,
  },
  prefixRule('alibaba-key', 'LTAI', `${alphanumeric}{17,21}${end}`, looksLikeKey),
  tokenRule('digitalocean-token', ['dop_v1_', 'doo_v1_', 'dor_v1_'], `do[opr]_v1_${hexDigit}{64}`),
  prefixRule('heroku-key', 'HRKU-', `${word}{36,}`),
  prefixRule('fly-token', 'fo1_', `${word}{40,}`),
  // Several tokens may be joined by commas.
  tokenRule(
    'fly-token',
    ['fm1', 'fm2'],
    'fm[12][ar]?_[A-Za-z0-9+/]{60,}={0,2}(?:,fm[12][ar]?_[A-Za-z0-9+/]{60,}={0,2}){0,8}',
  ),
  tokenRule('vercel-token', ['vcp_', 'vck_', 'vca_', 'vcr_', 'vci_'], `vc[pkari]_${alphanumeric}{24,}`),
  prefixRule('vercel-token', 'vercel_blob_rw_', `${word}{24,}`),
  tokenRule('netlify-token', ['nfp_', 'nfc_', 'nfo_', 'nfu_', 'nfb_'], `nf[pcoub]_${alphanumeric}{36,}`),
  prefixRule('render-key', 'rnd_', `${alphanumeric}{28,}`, looksLikeKey),
  prefixRule('cloudflare-key', 'v1.0-', `${hexDigit}{24}-${hexDigit}{140,}`),
  tokenRule('cloudflare-key', ['cfut_', 'cfat_', 'cfk_'], `cf(?:ut|at|k)_${alphanumeric}{40,}`),
  tokenRule('vault-token', ['hvs.', 'hvb.', 'hvr.'], `hv[sbr]\\.${word}{24,}`),
  // The format of older servers.
  loneTokenRule('vault-token', ['s.'], `s\\.${alphanumeric}{24}(?:\\.${alphanumeric}{5})?`, isRandomTail),
  endRule('terraform-token', ['.atlasv1.'], `${alphanumeric}{14}`, `\\.atlasv1\\.${word}{60,}`),
  prefixRule('pulumi-token', 'pul-', `${hexDigit}{40}${end}`),
  prefixRule(
    'doppler-token',
    'dp.',
    `(?:pt|st|ct|sa|scim|audit)\\.(?:[a-z0-9_-]{2,35}\\.)?${alphanumeric}{40,44}`,
  ),
  prefixRule(
    'infisical-token',
    'st.',
    `${hexDigit}{8}(?:${hexDigit}{16}|-[0-9a-f-]{27})\\.${hexDigit}{32,64}(?:\\.${hexDigit}{32,64})?`,
  ),
  prefixRule('tailscale-key', 'tskey-', `${word}{20,}`),
  prefixRule('1password-token', 'ops_eyJ', `${word}{100,}={0,2}`),
  prefixRule(
    '1password-secret-key',
    'A3-',
    '[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}',
  ),
  prefixRule('openshift-token', 'sha256~', `${word}{43}${end}`),
  prefixRule('scalingo-token', 'tk-us-', `${word}{48}`),
  prefixRule('infracost-key', 'ico-', `${alphanumeric}{32}${end}`, looksLikeKey),
  prefixRule('defined-networking-key', 'dnkey-', `${word}{26}-${word}{52}`),
  prefixRule('runpod-key', 'rpa_', `${alphanumeric}{40,}`),
  prefixRule('e2b-key', 'e2b_', `${hexDigit}{40}`),
  tokenRule('databricks-token', ['dapi', 'dose'], `(?:dapi|dose)${hexDigit}{32}(?:-\\d)?${end}`),
  endRule(
    'convex-key',
    ['|eyJ', '|01'],
    '(?:prod|dev|preview|project):[a-z0-9:-]{3,80}',
    '\\|[A-Za-z0-9+/=_-]{40,400}',
  ),
  {
    kind: 'convex-key',
    triggers: ['DEPLOY_KEY'],
    pattern:
      /DEPLOY_KEY\\{0,16}["']?\s?[=:]\s?\\{0,16}["']?((?:prod|dev|preview|project):[a-z0-9:-]{3,80}\|[A-Za-z0-9+/=_-]{20,400})/y,
    judge: isVaried,
  },
  prefixRule('token', 'SWMTKN-1-', '[a-z0-9]{40,60}-[a-z0-9]{20,30}'),
  {
    kind: 'key',
    triggers: ['Unseal Key ', 'Recovery Key '],
    pattern:
      /(?:Unseal|Recovery) Key \d{1,2}(?: \([^()\r\n]{1,40}\))?: ([A-Za-z0-9+/]{32,80}={0,2})(?![\w+/=])/y,
    judge: looksLikeKey,
  },
  {
    kind: 'token',
    triggers: ['--token ', '--token='],
    pattern: /--token[ =]([a-z0-9]{6}\.[a-z0-9]{16})(?![\w.-])/y,
    judge: (secret) => /\d/.test(secret),
  },
  tokenRule('prefect-key', ['pnu_', 'pnb_'], `pn[ub]_${alphanumeric}{36}`),
]

/** Identifiers in code also follow `s.`, but have no digits among their letters. */
function isRandomTail(secret: string): boolean {
  return /\d/.test(secret) && looksRandom(secret.slice(2))
}

/** Tokens of services that store, test and publish code. */
const codeHosts: readonly Rule[] = [
  tokenRule('github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], `gh[pousr]_${alphanumeric}{36,}`),
  prefixRule('github-token', 'github_pat_', `${word}{22,}`),
  tokenRule(
    'gitlab-token',
    [
      'glpat-',
      'gldt-',
      'glrt-',
      'glrtr-',
      'glptt-',
      'glcbt-',
      'glft-',
      'glsoat-',
      'glagent-',
      'glimt-',
      'gloas-',
      'glffct-',
      'glwt-',
    ],
    '(?:gl(?:pat|dt|rt|rtr|ptt|cbt|ft|soat|agent|imt|oas|ffct|wt)-)[A-Za-z0-9_.-]{20,}',
  ),
  prefixRule('gitlab-token', 'GR1348941', `${word}{20}`),
  tokenRule('atlassian-token', ['ATATT3', 'ATCTT3'], `AT[AC]TT3[A-Za-z0-9_=-]{60,}`),
  prefixRule('bitbucket-password', 'ATBB', `${alphanumeric}{32}${end}`, isVariedKey),
  prefixRule('sourcegraph-token', 'sgp_', `(?:${hexDigit}{16}_|local_)?${hexDigit}{40}`),
  endRule('azure-devops-token', ['AZDO'], `${alphanumeric}{60,80}`, `AZDO${alphanumeric}{3,5}`),
  tokenRule('circleci-token', ['CCIPAT_', 'CCIPRJ_'], `CCIP(?:AT|RJ)_${alphanumeric}{22}_${hexDigit}{40}`),
  tokenRule('buildkite-token', ['bkua_', 'bkaj_', 'bkat_'], `bk(?:ua|aj|at)_${hexDigit}{40}`),
  tokenRule('sonar-token', ['sqp_', 'squ_', 'sqa_'], `sq[pua]_${hexDigit}{40}`),
  tokenRule(
    'harness-token',
    ['pat.', 'sat.'],
    `[ps]at\\.${word}{22}\\.${alphanumeric}{24}\\.${alphanumeric}{20}`,
  ),
  prefixRule('octopus-key', 'API-', `[A-Z0-9]{26}${end}`, looksLikeKey),
  prefixRule('npm-token', 'npm_', `${alphanumeric}{36}${end}`),
  prefixRule('pypi-token', 'pypi-', `AgE${word}{50,}`),
  prefixRule('rubygems-key', 'rubygems_', `${hexDigit}{48}`),
  prefixRule('crates-token', 'cio', `${alphanumeric}{32}${end}`, isMixed),
  prefixRule('nuget-key', 'oy2', `[a-z0-9]{43}${end}`, isMixed),
  tokenRule('docker-token', ['dckr_pat_', 'dckr_oat_'], `dckr_[po]at_${word}{20,}`),
  prefixRule('artifactory-key', 'AKCp', `${alphanumeric}{69}`),
  prefixRule('artifactory-key', 'cmVmdGtu', `${alphanumeric}{56}`),
  prefixRule('packagist-token', 'packagist_', `(?:[ou][ru]t|ack)_${hexDigit}{64,}`),
  prefixRule('clojars-token', 'CLOJARS_', `${alphanumeric}{24,}`, isVariedKey),
]

/** A name that begins like the token has no digits, or parts. */
function isVariedKey(secret: string): boolean {
  return /\d/.test(secret) && isPlausible(secret)
}

/** Words can also begin with short prefixes, but a key has digits among its letters. */
function isMixed(secret: string): boolean {
  return /[A-Za-z]\d/.test(secret.slice(3)) && isPlausible(secret)
}

const hex = '0123456789abcdef'
const mail: readonly Rule[] = [
  prefixRule('sendgrid-key', 'SG.', `${word}{16,64}\\.${word}{16,}`),
  prefixRule('mailgun-key', 'key-', `${hexDigit}{32}${end}`),
  {
    kind: 'mailgun-key',
    // The newer form. No letters identify it, but its lengths do.
    triggers: combinations(hex, hex, '-').map(
      (literal): Trigger => ({ literal, ahead: { kind: /[0-9a-f]/, count: 24, within: 0 } }),
    ),
    pattern: /(?<=(?<![\w-])(?<before>[0-9a-f]{30}))([0-9a-f]{2}-[0-9a-f]{8}-[0-9a-f]{8})(?![\w-])/y,
    judge: isPlausible,
  },
  endRule('mailchimp-key', ['-us'], `${hexDigit}{32}`, '-us\\d{1,2}'),
  tokenRule('brevo-key', ['xkeysib-', 'xsmtpsib-'], `x(?:key|smtp)sib-${hexDigit}{64}-${alphanumeric}{16}`),
  prefixRule('resend-key', 're_', `${alphanumeric}{8}_${alphanumeric}{24}`, looksLikeKey),
  tokenRule('twilio-key', combinations('S', 'K', hex), `SK${hexDigit}{32}${end}`),
]

const watching: readonly Rule[] = [
  prefixRule('sentry-token', 'sntryu_', `${hexDigit}{64}`),
  prefixRule('sentry-token', 'sntrys_', '[A-Za-z0-9+/=_]{80,}'),
  tokenRule(
    'newrelic-key',
    ['NRAK-', 'NRII-', 'NRIQ-', 'NRJS-'],
    `NR(?:AK|II|IQ|JS)-${word}{19,}`,
    looksLikeKey,
  ),
  endRule('newrelic-key', ['NRAL'], `(?:eu01xx)?${hexDigit}{30,36}`, 'NRAL'),
  prefixRule('grafana-token', 'glsa_', `${alphanumeric}{32}_[0-9a-fA-F]{8}`),
  prefixRule('grafana-token', 'glc_', 'eyJ[A-Za-z0-9+/]{40,}={0,2}'),
  prefixRule('grafana-token', 'eyJrIjoi', '[A-Za-z0-9]{70,}={0,2}'),
  prefixRule('posthog-key', 'phx_', `${alphanumeric}{40,}`),
  prefixRule('wakatime-key', 'waka_', `${uuid}`),
  prefixRule('dynatrace-token', 'dt0', '[a-z]\\d{2}\\.[A-Z0-9]{24}\\.[A-Z0-9]{64}'),
]

const work: readonly Rule[] = [
  tokenRule('linear-key', ['lin_api_', 'lin_oauth_'], `lin_(?:api|oauth)_${alphanumeric}{32,}`),
  prefixRule('notion-token', 'ntn_', `${alphanumeric}{40,}`),
  prefixRule('notion-token', 'secret_', `${alphanumeric}{43}${end}`, looksLikeKey),
  tokenRule('figma-token', ['figd_', 'figr_', 'figo_', 'figu_'], `fig[drou]_${word}{36,}`),
  // The format until 2024.
  loneTokenRule('airtable-key', ['key'], `key${alphanumeric}{14}`, isRandomWithDigit),
  prefixRule('airtable-token', 'pat', `${alphanumeric}{14}\\.${hexDigit}{64}`),
  prefixRule('hubspot-token', 'pat-', `(?:na|eu|ap)\\d-${uuid}`),
  prefixRule('clickup-token', 'pk_', '\\d{6,9}_[A-Z0-9]{32}'),
  tokenRule(
    'asana-token',
    combinations('12', '/', '0123456789'),
    `[12]/\\d{15,16}(?:/\\d{15,16})?:${hexDigit}{32}`,
  ),
  prefixRule('postman-key', 'PMAK-', `${hexDigit}{24}-${hexDigit}{34}`),
  prefixRule('dropbox-token', 'sl.', `${word}{120,}={0,2}`),
  prefixRule('dropbox-token', 'sl.u.', `${word}{80,}={0,2}`),
  prefixRule('mapbox-token', 'sk.eyJ', `${word}{20,}\\.${word}{20,}`),
  prefixRule('adobe-secret', 'p8e-', `${word}{32}${end}`, looksLikeKey),
  prefixRule('frameio-token', 'fio-u-', `${word}{64}`),
  endRule('maxmind-key', ['_mmk'], `${alphanumeric}{6}_${alphanumeric}{29}`, '_mmk'),
  prefixRule('contentful-token', 'CFPAT-', `${word}{43}`),
  prefixRule('typeform-token', 'tfp_', `${word}{40,}`, looksLikeKey),
  prefixRule('readme-key', 'rdme_', '[0-9a-z]{60,}'),
  tokenRule('launchdarkly-key', ['sdk-', 'api-'], `(?:sdk|api)-${uuid}`),
  prefixRule('adafruit-key', 'aio_', `${alphanumeric}{28}${end}`, looksLikeKey),
]

const databases: readonly Rule[] = [
  prefixRule('supabase-key', 'sbp_', `(?:v0_|oauth_)?${hexDigit}{40}`),
  loneTokenRule('clickhouse-key', ['4b1d'], `4b1d${alphanumeric}{38}`, looksLikeKey),
  prefixRule('supabase-key', 'sb_secret_', `${word}{20,}`),
  prefixRule('planetscale-token', 'pscale_', '(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{32,}'),
  tokenRule(
    'neon-key',
    ['napi_', 'npg_'],
    `(?:napi_${alphanumeric}{40,}|npg_${alphanumeric}{12,}${end})`,
    looksLikeKeyOrShort,
  ),
]

const sealing: readonly Rule[] = [prefixRule('age-key', 'AGE-SECRET-KEY-', '(?:PQ-)?1[A-Z0-9]{50,}')]

/** Names can also begin like this, but have no digits among their letters. */
function isRandomWithDigit(secret: string): boolean {
  return /\d/.test(secret) && looksRandom(secret)
}

/** Passwords generated by Neon are shorter than keys. */
function looksLikeKeyOrShort(secret: string): boolean {
  return looksLikeKey(secret) || (secret.startsWith('npg_') && isPlausible(secret))
}

/** Services that programs log in to: mail and messages, monitoring, work and design, databases. */
const services: readonly Rule[] = [...mail, ...watching, ...work, ...databases, ...sealing]

/** Keys to payment services. */
const payment: readonly Rule[] = [
  tokenRule(
    'stripe-key',
    ['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_', 'sk_org_'],
    `[sr]k_(?:org_)?(?:live|test|prod)_${alphanumeric}{16,}`,
  ),
  prefixRule('webhook-secret', 'whsec_', '[A-Za-z0-9+/]{24,}={0,2}'),
  tokenRule('shopify-token', ['shpat_', 'shpss_', 'shpca_', 'shppa_'], 'shp(?:at|ss|ca|pa)_[0-9a-fA-F]{32}'),
  tokenRule('square-token', ['sq0atp-', 'sq0csp-'], `sq0(?:atp|csp)-${word}{22,43}`),
  loneTokenRule('square-token', ['EAAA'], `EAAA${word}{60}`, looksRandom),
  tokenRule(
    'braintree-token',
    ['access_token$'],
    `access_token\\$(?:production|sandbox)\\$[0-9a-z]{16}\\$${hexDigit}{32}`,
  ),
  prefixRule('plaid-token', 'access-', `(?:sandbox|development|production)-${uuid}`),
  tokenRule('easypost-key', ['EZAK', 'EZTK'], `EZ[AT]K${alphanumeric}{54}${end}`),
  prefixRule('shippo-token', 'shippo_', `(?:live|test)_${hexDigit}{40}`),
  prefixRule('flutterwave-key', 'FLWSECK', `(?:_TEST)?-${alphanumeric}{12,}`),
]

/** A Discord token begins with an account number in base64. Digits encode to few letters. */
const discordStarts = combinations('MNO', 'DTjz', 'AEIMQUYcgk')

/** Bots, channels and accounts on chat services and networks. */
const chat: readonly Rule[] = [
  {
    kind: 'telegram-bot-token',
    triggers: [':AA'],
    // With the id of the bot.
    pattern: /(?<=(?<!\d)(?:bot)?(?<before>\d{8,10}))(:AA[A-Za-z0-9_-]{32,34})(?![A-Za-z0-9])/y,
    judge: isPlausible,
  },
  tokenRule(
    'slack-token',
    combinations('x', 'o', 'x', 'abceprs', '-'),
    'xox[abceprs](?:\\.xox[a-z])?-[A-Za-z0-9-]{10,}',
  ),
  // A percent-encoded cookie.
  prefixRule('slack-token', 'xoxd-', '[A-Za-z0-9%+/=_-]{20,}'),
  tokenRule('slack-token', ['xoxe.', 'xapp-', 'xwfp-'], '(?:xoxe\\.xox[bp]|xapp|xwfp)-[A-Za-z0-9-]{20,}'),
  prefixRule('matrix-token', 'syt_', '[A-Za-z0-9+/=]{2,64}_[A-Za-z0-9]{20}_[A-Za-z0-9]{6}'),
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
  {
    kind: 'teams-webhook',
    triggers: ['.office.com/', '.office365.com/'],
    pattern: new RegExp(
      `\\.office(?:365)?\\.com/(?:(?<=\\.webhook\\.office\\.com/)webhookb2|(?<=outlook[\\w.]{1,20}/)webhook)/(${uuid}@${uuid}/IncomingWebhook/${hexDigit}{32}/${uuid}(?:/${word}{1,128})?)`,
      'y',
    ),
    judge: () => true,
  },
  endRule('fcm-key', [':APA91b'], 'AAAA[A-Za-z0-9_-]{7}', ':APA91b[A-Za-z0-9_-]{100,200}'),
  loneTokenRule('facebook-token', ['EAA'], `EAA${alphanumeric}{100,1000}`, looksRandom),
]

/** As Claude Code and others name the folder of a project: every sign of its path is a hyphen. */
const inFolderNames = tokenRule(
  'api-key',
  'ghp- gho- ghu- ghs- ghr- github-pat- npm- dckr-pat- dckr-oat- gsk- hf- shpat- shpss- shpca- shppa- lin-api- ntn- sbp- glsa- whsec-'.split(
    ' ',
  ),
  `(?:(?:gh[pousr]|npm)-${alphanumeric}{36}${end}|github-pat-${alphanumeric}{22}-${alphanumeric}{59}|dckr-[po]at-${word}{27,}|gsk-${alphanumeric}{52}|hf-${alphanumeric}{34}${end}|shp(?:at|ss|ca|pa)-${hexDigit}{32}|(?:lin-api|ntn|sbp)-${alphanumeric}{40,}|glsa-${alphanumeric}{32}-|whsec-${alphanumeric}{32}${end})`,
  isVariedKey,
)

/** Tokens that their own letters identify. */
export const tokens: readonly Rule[] = [
  ...modelVendors,
  ...codeHosts,
  ...clouds,
  ...chat,
  ...payment,
  ...services,
  inFolderNames,
]
