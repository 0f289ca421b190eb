import type { Random } from '../random.ts'
import { draw, invent, pick } from './parts.ts'

/** A text with a secret that needs its own context, and what must not remain of it. */
export interface Block {
  kind: string
  text: string
  secret: string
}

const edge = (word: string, name: string): string => `${'-'.repeat(5)}${word} ${name}${'-'.repeat(5)}`

function armoured(random: Random, name: string, headers = ''): string {
  const lines = Array.from({ length: 6 + random(18) }, () => draw(random, 'base64', 64))
  lines.push(`${draw(random, 'base64', 31)}=`)
  return `${edge('BEGIN', name)}\n${headers}${lines.join('\n')}\n${edge('END', name)}`
}

const armours = [
  ['pem rsa', 'RSA PRIVATE KEY', ''],
  ['pem', 'PRIVATE KEY', ''],
  ['pem elliptic', 'EC PRIVATE KEY', ''],
  ['pem encrypted', 'ENCRYPTED PRIVATE KEY', ''],
  ['ssh', 'OPENSSH PRIVATE KEY', ''],
  ['pgp', 'PGP PRIVATE KEY BLOCK', 'Version: GnuPG v2\n\n'],
] as const

const wrapped: ((block: string) => string)[] = [
  (block) => `$ cat server.key\n${block}\n$ `,
  (block) => JSON.stringify({ type: 'service_account', private_key: `${block}\n`, client_email: 'a@b.test' }),
  (block) => JSON.stringify({ content: JSON.stringify({ key: block, of: 'shop' }) }),
  (block) => JSON.stringify({ content: JSON.stringify({ text: JSON.stringify({ key: block }) }) }),
  (block) => `DEPLOY_KEY="${block.replaceAll('\n', '\\n')}"\nPORT=80`,
  (block) => block.replace(/^/gm, '    '),
  (block) =>
    JSON.stringify({
      out: block
        .split('\n')
        .map((line, at) => `${at + 1}→${line}`)
        .join('\n'),
    }),
  (block) => block.split('\n').slice(0, -2).join('\n'),
]

/** Private keys of all kinds: whole, escaped, indented, numbered and cut off. */
export function keyBlocks(random: Random): Block[] {
  return armours.flatMap(([kind, name, headers]) =>
    wrapped.map((wrap) => {
      const block = armoured(random, name, headers)
      const secret = block.split('\n').filter((line) => /^[A-Za-z0-9+/]{64}$/.test(line))[4]!
      return { kind, text: wrap(block), secret }
    }),
  )
}

/** Patterns for `invent`. The part in braces is the secret. */
const blocks: readonly (readonly [kind: string, ...texts: string[]])[] = [
  [
    'postgres url',
    'DATABASE_URL=postgres://shop:{<alnum:16>}@db.internal:5432/shop',
    'psql "postgresql://neondb_owner:{np|g_<alnum:12>}@ep-cool-sun-a2.eu-central-1.aws.neon.test/neondb?sslmode=require"',
    '{"url":"postgres:\\/\\/shop:{<alnum:14>}@db.internal\\/shop"}',
  ],
  [
    'mysql url',
    'mysql://root:{<alnum:10><sign:1><alnum:4>}@127.0.0.1:3306/shop',
    'mysql+pymysql://app:{<alnum:12>}@db/shop',
  ],
  [
    'mongodb url',
    'mongodb+srv://app:{<alnum:16>}@cluster0.ab1cd.mongodb.test/?retryWrites=true',
    "mongoose.connect('mongodb://app:{<alnum:12>}@mongo:27017/shop')",
  ],
  [
    'redis url',
    'REDIS_URL=redis://:{<alnum:24>}@cache.internal:6379/0',
    'rediss://default:{<alnum:32>}@eu1-cat-12345.upstash.test:6379',
  ],
  ['amqp url', 'amqp://worker:{<alnum:16>}@rabbit:5672/jobs'],
  [
    'ado string',
    'Server=tcp:shop.database.windows.test,1433;User ID=app;Password={<alnum:12>!<alnum:2>};Encrypt=True;',
    'Data Source=db;Initial Catalog=shop;User Id=sa;Pwd={<alnum:8>#<alnum:6>};',
  ],
  ['libpq string', 'host=db.internal user=app password={<alnum:14>} dbname=shop'],
  [
    'git remote',
    'git remote set-url origin https://x-access-token:{gh|s_<alnum:36>}@github.test/shop/api.git',
    'https://oauth2:{glp|at-<word:20>}@gitlab.test/shop.git',
    'https://{<hex:40>}@git.test/shop.git',
  ],
  [
    'registry url',
    'pip install --index-url https://ci:{<alnum:20>}@pypi.shop.test/simple shop',
    'https://ci:{<alnum:12>%<HEX:2><alnum:4>}@nexus.shop.test/repository/npm/',
  ],
  ['sentry address', 'SENTRY_DSN=https://<hex:32>:{<hex:32>}@o12345.ingest.sentry.test/4501'],
  [
    'azure storage',
    'DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={<base64:86>==};EndpointSuffix=core.windows.net',
    '{"AzureWebJobsStorage":"DefaultEndpointsProtocol=https;AccountName=shop;AccountKey={<base64:86>\\u003d\\u003d}"}',
  ],
  [
    'azure service bus',
    'Endpoint=sb://shop.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey={<base64:43>=}',
  ],
  [
    'signed address',
    'https://shop.blob.core.windows.net/x/a.zip?sv=2026-01-01&se=2026-12-01&sr=b&sp=r&sig={<alnum:40>%2B<alnum:2>%3D}',
    '<a href="https://shop.s3.amazonaws.com/a?X-Amz-Credential=x&amp;X-Amz-Signature={<hex:64>}">',
  ],
  [
    'basic header',
    'curl -H "Authorization: Basic {<basic:admin>}" https://x.test',
    '{"headers":{"authorization":"Basic {<basic:shop>}"}}',
  ],
  [
    'curl user',
    'curl -u admin:{<alnum:12>} https://nexus.shop.test/service',
    'curl --user "shop:{<alnum:10>!<alnum:2>}" https://x.test',
  ],
  [
    'sshpass',
    "sshpass -p '{<alnum:12>}' ssh root@10.0.0.7 uptime",
    'sshpass -p {<alnum:8>!<digit:2>} scp a b:',
  ],
  [
    'mysql option',
    'mysql -h db -u root -p{<alnum:14>} shop < dump.sql',
    'mysqldump -uroot -p{<alnum:14>} --all-databases',
  ],
  ['redis option', 'redis-cli -h cache -a {<alnum:24>} ping'],
  [
    'mail and password',
    'ann@shop.test:{Pa<small:4><digit:3>!<capital:2>} <hex:8>',
    'bob@mail.shop.com:{<capital:2><small:5>#<digit:4>}|<hex:12>',
  ],
  ['netrc', 'machine api.shop.test login dev password {<alnum:16>}\n'],
  [
    'npmrc',
    '//registry.npmjs.test/:_authToken={np|m_<alnum:36>}\n',
    '//npm.shop.test/:_authToken={<uuid>}',
    '_auth={<base64:40>==}',
  ],
  ['docker config', '{"auths":{"registry.shop.test":{"auth":"{<basic:ci>}"}}}'],
  [
    'kubeconfig',
    'users:\n- name: admin\n  user:\n    client-key-data: {<pem:200>}\n',
    '    token: {<alnum:6>.<alnum:60>}\n',
  ],
  ['wireguard', '[Interface]\nPrivateKey = {<base64:43>=}\nAddress = 10.0.0.2/32'],
  ['one-time password', 'otpauth://totp/Shop:dev@shop.test?secret={<base32:32>}&issuer=Shop'],
  [
    'session cookie',
    'Cookie: theme=dark; session={<alnum:40>}; lang=en',
    'Set-Cookie: connect.sid={s%3A<word:32>.<alnum:43>}; Path=/; HttpOnly',
    'set-cookie: sessionid={<low:32>}; expires=Fri',
  ],
  [
    'login form',
    'POST /login\n\nusername=dev&password={<alnum:12>}&remember=1',
    '{"username":"dev","password":"{<alnum:6>!<alnum:6>}"}',
  ],
  ['html form', '<input type="password" name="password" value="{<alnum:12>}">'],
  ['xml password', '<password>{<alnum:14>}</password>'],
  [
    'oauth answer',
    '{"access_token":"{<alnum:64>}","token_type":"bearer","expires_in":3600,"refresh_token":"r"}',
    '{"token_type":"bearer","refresh_token":"{<word:48>}"}',
  ],
  ['oauth address', 'https://app.shop.test/callback#access_token={<alnum:48>}&token_type=bearer'],
  ['putty', 'PuTTY-User-Key-File-3: ssh-ed25519\nPrivate-Lines: 1\n{<base64:48>}\nPrivate-MAC: <hex:64>'],
  ['json web key', '{"kty":"OKP","crv":"Ed25519","x":"<word:43>","d":"{<word:43>}"}'],
  [
    'sql password',
    "ALTER USER shop WITH PASSWORD '{<alnum:12>}';",
    "CREATE USER 'app'@'%' IDENTIFIED BY '{<alnum:8>!<alnum:4>}';",
  ],
  ['telegram address', 'https://api.telegram.org/bot<digit:10>:{A|A<word:33>}/getUpdates'],
  [
    'spoken password',
    'the wifi password is {<alnum:4>-<alnum:4>-<digit:4>!',
    'Passwort: {<alnum:8>!<digit:2>}',
  ],
]

/** Secrets that are known by their context. */
export function secretsInBlocks(random: Random): Block[] {
  return blocks.flatMap(([kind, ...texts]) =>
    Array.from({ length: 4 }, (_, at) => {
      const filled = invent(random, texts[at % texts.length]!).replaceAll('|', '')
      const mark = pick(random, ['', '$ ', '2026-10-01T08:00:00Z '])
      // The last pair of braces without a quotation mark; those of JSON contain one.
      const secret = /\{([^{}"\n]{8,})\}?/.exec(filled)![1]!
      return {
        kind,
        secret,
        text: mark + filled.replace(`{${secret}}`, secret).replace(`{${secret}`, secret),
      }
    }),
  )
}
