import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../test/any-character.ts'
import { findSecrets, redact } from './redact.ts'

const digits = '0123456789'
const small = 'abcdefghijklmnopqrstuvwxyz'
const alphanumeric = digits + small + small.toUpperCase()
const hex = digits + small.slice(0, 6)

/** An invented secret, assembled at run time so that the repository contains nothing shaped like one. */
function invent(length: number, alphabet = alphanumeric): string {
  let state = length * 7919 + alphabet.length
  return Array.from({ length }, () => {
    state = (state * 1103515245 + 12345) % 2147483648
    return alphabet[Math.floor(state / 65536) % alphabet.length]
  }).join('')
}

/** Joins pieces, for the same reason. */
const join = (...pieces: string[]): string => pieces.join('')
const base64 = (text: string): string => Buffer.from(text).toString('base64url')
const armour = (edge: string, kind = 'RSA '): string =>
  `${'-'.repeat(5)}${edge} ${kind}PRIVATE KEY${'-'.repeat(5)}`

const keyText = [invent(64), invent(64), invent(30)].join('\n')
const keyBlock = `${armour('BEGIN')}\n${keyText}\n${armour('END')}`
const jwt = [base64('{"alg":"HS256","typ":"JWT"}'), base64('{"sub":"42","role":"service"}'), invent(43)].join(
  '.',
)
const discordToken = [join('MTA0', invent(20)), invent(6), invent(27)].join('.')
const password = join('Tr4wl', '-n3t!')

/** kind · the secret · the text before and after it. */
const families: [kind: string, secret: string, before?: string, after?: string][] = [
  ['anthropic-key', join('sk-', 'ant-', 'api03-', invent(93)), 'use ', ' here'],
  ['openrouter-key', join('sk-', 'or-', 'v1-', invent(64, hex))],
  ['openai-key', join('sk-', 'proj-', invent(80))],
  ['model-key', join('sk-', invent(48)), '\\n', '\\n'],
  ['model-key', join('pplx', '-', invent(48))],
  ['groq-key', join('gsk', '_', invent(52)), '\u001b[32m', '\u001b[0m'],
  ['xai-key', join('xai', '-', invent(80)), 'key%3D'],
  ['hugging-face-token', join('hf', '_', invent(34)), '\\u0022', '\\u0022'],
  ['elevenlabs-key', join('sk', '_', invent(48, hex))],
  ['replicate-token', join('r8', '_', invent(37))],
  ['search-key', join('tvly', '-', invent(32))],
  ['google-api-key', join('AI', 'za', invent(35))],
  ['github-token', join('gh', 'p_', invent(36)), 'https://x.test/?t=', '&u=1'],
  ['github-token', join('gh', 's_', invent(36))],
  ['github-token', join('github', '_pat_', invent(22), '_', invent(59))],
  ['gitlab-token', join('glp', 'at-', invent(20))],
  ['atlassian-token', join('ATA', 'TT3', invent(80))],
  ['aws-access-key-id', join('AK', 'IA', invent(16, `${small.toUpperCase()}234567`))],
  ['aws-access-key-id', join('AS', 'IA', invent(16, `${small.toUpperCase()}234567`))],
  ['aws-secret-key', invent(40), 'aws_secret_access_key = ', '\n[other]'],
  ['aws-secret-key', invent(40), '{"SecretAccessKey": "', '"}'],
  [
    'azure-storage-key',
    join(invent(86), '=='),
    'DefaultEndpointsProtocol=https;AccountKey=',
    ';EndpointSuffix=x',
  ],
  ['azure-client-secret', join('aB3', '8', 'Q~', invent(34)), 'is '],
  ['google-access-token', join('ya', '29.', invent(60))],
  ['google-client-secret', join('GOC', 'SPX-', invent(28))],
  ['signed-url', invent(44), 'https://files.test/a.zip?sv=2026&sig='],
  ['telegram-bot-token', join('7123456789:A', 'A', invent(33)), 'https://api.telegram.org/bot', '/getMe'],
  ['slack-token', join('xo', 'xb-', invent(12, digits), '-', invent(24))],
  ['slack-webhook', `T${invent(8)}/B${invent(8)}/${invent(24)}`, 'https://hooks.slack.com/services/'],
  ['discord-token', discordToken],
  ['discord-webhook', invent(68), `https://discord.com/api/webhooks/${invent(18, digits)}/`],
  ['stripe-key', join('sk', '_live_', invent(24))],
  ['stripe-key', join('rk', '_live_', invent(24))],
  ['webhook-secret', join('wh', 'sec_', invent(32))],
  ['npm-token', join('np', 'm_', invent(36)), '//registry.test/:x '],
  ['pypi-token', join('py', 'pi-', 'AgEIcHlwaS5vcmc', invent(120))],
  ['docker-token', join('dckr', '_pat_', invent(27))],
  ['sendgrid-key', join('S', 'G.', invent(22), '.', invent(43))],
  ['twilio-key', join('S', 'K', invent(32, hex))],
  ['token', invent(32, hex), 'TWILIO_AUTH_TOKEN=', '\n'],
  ['supabase-key', join('sb', 'p_', invent(40, hex))],
  ['connection-string', password, 'postgres://shop:', '@db.internal:5432/shop'],
  ['connection-string', password, 'mongodb+srv://shop:', '@cluster.test/?retryWrites=true'],
  ['url-password', password, 'git clone https://dev:', '@git.test/shop.git'],
  ['url-token', invent(40, hex), 'https://', '@git.test/shop.git'],
  ['jwt', jwt, 'cookie: session=', '; path=/'],
  ['bearer-token', invent(40), 'Authorization: Bearer ', '" https://x.test'],
  ['basic-auth', Buffer.from(`shop:${password}`).toString('base64'), 'Authorization: Basic '],
  ['password', password, 'curl -u shop:', ' https://x.test'],
  ['private-key', keyBlock, 'cat key.pem\n', '\ndone'],
  ['private-key', keyBlock.replaceAll('\n', '\\n'), '{"private_key": "', '", "type": "service_account"}'],
  ['private-key', keyBlock.replaceAll('\n', '\\\\n'), '{"text":"{\\"private_key\\": \\"', '\\"}"}'],
  ['private-key', keyBlock.replaceAll('RSA', 'OPENSSH')],
  ['private-key', `${armour('BEGIN', '')}\n${invent(64)}\n${invent(20)}`],
  ['password', password, 'password=', '&next=1'],
  ['password', password, 'mongosh "mongodb://h" -u a -p ', ' --eval 1'],
  ['password', password, '{"c":"mysql -e \\"select 1\\" -p', ' shop"}'],
  ['password', password, '密码：', '，谢谢'],
  ['password', password, 'openssl rsa -passin pass:', ' -in a'],
  ['password', password, 'ENV DB_PASSWORD ', '\nCMD x'],
  ['password', password, 'the admin password is `', '`.'],
  ['password', password, "CREATE USER a IDENTIFIED BY '", "'"],
  ['password', password, 'machine m.test login ann password ', '\n'],
  ['api-key', invent(32, hex), 'DD-API-KEY: ', '\r\n'],
  ['token', invent(32), '{"name":"CI_TOKEN","value":"', '"}'],
  ['token', invent(32), '- name: CI_TOKEN\n  value: ', '\n'],
  ['authorization', invent(40, hex), 'Authorization: token ', '\n'],
  ['session-cookie', invent(40), 'Cookie: a=b; session=', '; c=d'],
  ['mailchimp-key', join(invent(32, hex), '-us', '12'), 'key ', '.'],
  ['password', join('hunt', 'er2'), 'export PGPASSWORD=', '\npsql'],
  ['password', 'k0ffie-zonder-melk', '  password: ', '\n'],
  ['password', password, 'const password: string = "', '"'],
  ['password', password, '**Password:** `', '`'],
  ['api-key', invent(32), '{"api_key": "', '"}'],
  ['api-key', invent(32), '{\\"apiKey\\":\\"', '\\"}'],
  ['api-key', invent(32), 'deploy --api-key ', ' --now'],
  ['token', invent(24), 'export TOKEN=', '; ./run'],
  ['token', invent(24), 'deploy --token ', ' --now'],
  ['token', invent(36), '//registry.test/:_authToken='],
  ['secret', invent(32), "client_secret: '", "',"],
  ['key', invent(32), 'ENCRYPTION_KEY=', '\n'],
]

/** Texts that look like secrets but are not. */
const innocent = [
  `commit ${invent(40, hex)}`,
  '550e8400-e29b-41d4-a716-446655440000',
  `sha256:${invent(64, hex)}`,
  `"integrity": "sha512-${invent(86)}=="`,
  `data:image/png;base64,${Buffer.from(invent(3000)).toString('base64')}`,
  `{"id":"msg_01${invent(22)}","tool":"toolu_01${invent(22)}","requestId":"req_011${invent(21)}"}`,
  '!function(e,t){var n=t.token,r=e.password||t(7);return{secret:n(4096),key:"k1"}}(this,0)',
  '/home/dev/eastore/api/node_modules/.pnpm/some-package@1.2.3_typescript@5.9.2/dist/index.js',
  'task-0123456789abcdefghij risk-assessment-0123456789abcd disk-9f8e7d6c5b4a39281706',
  'sk-folding-cube-container-animation sk-chase-dot-before-12',
  'const password = getPassword()',
  'password = await bcrypt.hash(input.password1, 12)',
  'token: string, secret?: string, password: z.string().min(12)',
  '{"password": null, "token": true, "secret": ""}',
  'token_count=12345 max_tokens: 4096 {"cache_read_input_tokens":1234567}',
  'const token = request.headers.authorization2.slice(7)',
  'password: process.env.DATABASE_PASSWORD2, api_key=os.environ["KEY_2"]',
  ['export TOKEN=$', '{DEPLOY_TOKEN_2}; API_KEY=$API_KEY_2; password: "$', '{{ secrets.DB_PASS1 }}"'].join(
    '',
  ),
  'API_KEY=<your-api-key-1>',
  'password=changeme123, token=xxxxxxxxxxxxxxxx12, secret="example-secret-42"',
  'postgres://postgres:postgres@localhost:5432/shop',
  'postgres://user:password@localhost/shop https://user:<password>@host.test',
  'http://localhost:3000/@vite/client http://localhost:3000?email=you@shop.test',
  'git@github.com:you/shop.git and ssh://git@github.com:22/you/shop.git',
  'Bearer token authentication, Bearer $TOKEN, "Basic authentication" and basic knowledge',
  'docker run -u 1000:1000000 shop; sort -u names',
  'PWD=/home/dev2/eastore pwd: ~/eastore2',
  'nextPageToken: CAUQAA1234567890abcdef',
  "password: '密码不能为空，请输入密码', 'label.password': 'Contraseña'",
  'pass: 120/120, passed 34 of 34; password changed on 2026-10-01',
  'if (password === userPassword1) token = tokens[17]',
  `${armour('BEGIN')} and ${armour('END')} enclose the key`,
  'AWS_ACCESS_KEY_ID=AKIA_GOES_HERE',
  'perldoc -u Some::Module7 and machine m.test login {user} password {self.password1}',
  'the secret is base64url2026, the token is refreshed4hours and the password is abcdef12',
  'return token = SyntaxKind.EndOfFileToken; (token: FindByType<Kind>) => pass = !this.result.issues',
  '{"type":"secret","name":"token-bucket-limiter"}',
  '"FAIL_TO_PASS":"[\\"tests/test_calc.py::test_add1\\"]","PASS_TO_PASS":"[]"',
]

describe('redact', () => {
  it.each(families)('replaces a %s: %#', (kind, secret, before = '', after = '') => {
    expect(redact(before + secret + after)).toBe(`${before}[REDACTED:${kind}]${after}`)
    expect(findSecrets(before + secret + after)).toEqual([
      { kind, start: before.length, end: before.length + secret.length },
    ])
  })

  it.each(innocent)('leaves unchanged: %s', (text) => {
    expect(redact(text)).toBe(text)
  })

  it.each(families)('finds no secret in its own output: %s %#', (_kind, secret, before = '', after = '') => {
    const once = redact(before + secret + after)
    expect(redact(once)).toBe(once)
  })

  it('leaves a JSON line valid', () => {
    for (const [, secret, before = '', after = ''] of families) {
      const line = JSON.stringify({
        text: before + secret + after,
        next: JSON.stringify({ text: before + secret + after }),
        n: 1,
      })
      expect(redact(line), line).not.toContain(secret.slice(-20).replaceAll('\n', '\\n'))
      expect(() => JSON.parse(redact(line)), line).not.toThrow()
    }
  })

  it('replaces several secrets in one text and preserves everything between them', () => {
    const [one, two] = [join('gh', 'p_', invent(36)), join('hf', '_', invent(34))]
    expect(redact(`a ${one} b ${two} c`)).toBe('a [REDACTED:github-token] b [REDACTED:hugging-face-token] c')
  })

  it('replaces the whole of a secret whose first and last letters are escaped unnecessarily', () => {
    const secret = join('gh', 'p_', invent(36))
    const escaped = (letter: string) => `\\\\u00${letter.charCodeAt(0).toString(16)}`
    const spelled = `${escaped('g')}${secret.slice(1, -1)}${escaped(secret.at(-1)!)}`
    expect(redact(`a ${spelled} b`)).toBe('a [REDACTED:github-token] b')
    expect(findSecrets(`a ${spelled} b`)).toEqual([
      { kind: 'github-token', start: 2, end: 2 + spelled.length },
    ])
  })

  it('names a secret by its own form, not by the name that it is assigned to', () => {
    const secret = join('gh', 'p_', invent(36))
    expect(redact(`GITHUB_TOKEN=${secret}`)).toBe('GITHUB_TOKEN=[REDACTED:github-token]')
  })

  it('reports one finding, named by the longer one, if two overlap', () => {
    const [left, right] = [join('gh', 'p_', invent(36)), invent(60)]
    expect(findSecrets(`token="${left}.${right}"`)).toEqual([{ kind: 'token', start: 7, end: 108 }])
  })

  it('replaces a key that a limit on output has cut off, with its line numbers', () => {
    const numbered = `   1→${armour('BEGIN')}\n   2→${invent(64)}\n   3→${invent(40)}`
    expect(redact(numbered)).toBe('   1→[REDACTED:private-key]')
  })

  it('replaces a key that source code splits into several strings', () => {
    const code = `const key = "${armour('BEGIN')}\\n" +\n  "${invent(64)}\\n" +\n  "${armour('END')}"`
    expect(redact(code)).toBe('const key = "[REDACTED:private-key]"')
  })

  it.each([
    'session_e7b58c60-8964-48d1-9b51-476afbc02e94',
    'ses_defffd68fffemlWykyvrGdwYp3',
    '1796032218180_5g9n0',
  ])('leaves the id of a session as the key of a row, and no other key of its form: %s', (id) => {
    expect(redact(JSON.stringify({ key: id }))).toBe(JSON.stringify({ key: id }))
    expect(redact(JSON.stringify({ apiKey: id }))).not.toContain(id)
  })

  it('returns the same text if it contains no secret', () => {
    const unremarkable = fc.string({ unit: fc.constantFrom('a', 'z', ' ', '\n', 'é', '→', '7', '.') })
    fc.assert(fc.property(unremarkable, (text) => redact(text) === text))
  })

  it('never throws, and finds nothing in its own output, whatever the text', () => {
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(
        'password=',
        '"token": "',
        '://a:',
        '@b',
        'Bearer ',
        armour('BEGIN'),
        '\\n',
        'sk-',
        '"',
      ),
      fc.constantFrom(...families.map(([, secret]) => secret)),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const once = redact(pieces.join(''))
        expect(redact(once)).toBe(once)
      }),
      { numRuns: 800 },
    )
  })
})

describe('redact on long hostile text', () => {
  const begin = armour('BEGIN')
  // biome-ignore format: a compact list
  const hostile = [
    'sk-', 'eyJ', 'eyJ.', '-eyJ', 'password=', 'password="', 'token:', '://', '://a:', '://a:b@', 'Bearer ', ' -u a:',
    `${begin}\n`, begin, `${begin}\n${invent(40)}\n`, '-----BEGIN ', 'xoxb-', ':AA', '123456789:AA', 'MTA', 'SG.',
    'mysql ', 'sshpass -p', 'redis-cli -a ', 'cookie: sid=', 'X-Amz-Signature=', '"d":"', 'kty"d"', 'token is ',
    'password | ', '<password>', '\\u002d', 'identified by \'', 'authorization: ', 'LS0tLS1CRUdJTi', '-us1', 'name="key" value=',
    '--token ', `key${'\\'.repeat(8)}"`, 'secret=\\"', 'sk-a-1B', '" ', '1//0', 'a_auth=',
  ]
  const starts = ['password=', 'password="', 'sk-', 'eyJ', '://', `${begin}\n`, 'Bearer ']

  it.each(hostile)('terminates: %j', (unit) => {
    const text = unit.repeat(Math.ceil(60_000 / unit.length))
    expect(findSecrets(text)).toBeInstanceOf(Array)
    expect(findSecrets(`${begin}\n${text}`)).toBeInstanceOf(Array)
  })

  it.each(starts)('terminates after %j followed by one character many times', (start) => {
    for (const character of ['a', 'A', '9', '\\', '"', ' ', '-', '=']) {
      expect(findSecrets(start + character.repeat(60_000))).toBeInstanceOf(Array)
    }
  })
})
