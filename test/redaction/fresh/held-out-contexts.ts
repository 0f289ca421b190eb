import { draw, pick } from '../parts.ts'
import { box, type Context, column, contextsOf, json, kebab, quoted, sets } from './contexts.ts'

const nounsIn = {
  password: [
    ['my root password', 'the wifi password for the office', 'Her password'],
    ['Mein Kennwort für den Server', 'das neue Passwort', 'Das Root-Passwort'],
    ['Le mot de passe du serveur', 'Mon mot de passe', 'le nouveau mot de passe'],
    ['La contraseña del servidor', 'mi contraseña', 'la nueva contraseña'],
    ['La password del server', 'la mia password', 'La nuova password'],
    ['A senha do servidor', 'minha senha', 'a nova senha'],
    ['Hasło do serwera', 'moje hasło', 'Nowe hasło'],
    ['服务器的密码', '我的密码', '新密码'],
  ],
  key: [
    ['our API key', 'The api key for staging', 'my secret key'],
    ['Mein API-Schlüssel', 'der API-Key für Staging', 'Der geheime Schlüssel'],
    ["Ma clé d'API", 'la clé API', 'La clé secrète'],
    ['mi clave de API', 'La clave API', 'la clave secreta'],
    ['la mia chiave API', 'La chiave API', 'la chiave segreta'],
    ['minha chave de API', 'A chave da API', 'a chave secreta'],
    ['mój klucz API', 'Klucz API', 'klucz do API'],
    ['我的API密钥', 'API密钥', '密钥'],
  ],
  token: [
    ['my access token', 'The token for CI', 'our deploy token'],
    ['Mein Token', 'der Token', 'Das Zugriffstoken'],
    ["Le jeton d'accès", 'mon token', 'le jeton'],
    ['El token de acceso', 'mi token', 'el token'],
    ['Il token di accesso', 'il mio token', 'il token'],
    ['O token de acesso', 'meu token', 'o token'],
    ['Mój token', 'token dostępu', 'Token'],
    ['我的令牌', '访问令牌', 'token'],
  ],
} as const
const copulas: readonly (readonly string[])[] = [
  [' is now ', ' is ', ' was '],
  [' ist jetzt ', ' lautet ', ' ist '],
  [' est ', ' est maintenant ', ' est : '],
  [' es ', ' es ahora ', ' será '],
  [' è ', ' è ora ', ' sarà '],
  [' é ', ' é agora ', ' será '],
  [' to ', ' brzmi ', ' jest '],
  ['是', '是 ', '为'],
]
const ends = ['', '.', ', thanks', ' - please update it', '\n\nBest, Ann']

const spoken =
  (language: number): Context['write'] =>
  ({ value, noun, random }) => {
    const subject = pick(random, nounsIn[noun as keyof typeof nounsIn][language]!)
    return `${subject}${pick(random, copulas[language]!)}${value}${pick(random, ends)}`
  }

/** A mark before every line. */
const prefixed = (text: string, prefix: (at: number) => string): string =>
  text
    .split('\n')
    .map((line, at) => prefix(at + 1) + line)
    .join('\n')

/** Other words and other files than those on which the rules were written. They measure the rules. */
export const heldOutContexts: readonly Context[] = [
  ...contextsOf(sets.named, {
    'environment file': ({ value, name, noun }) =>
      `# deploy\n${name}=${noun === 'phrase' ? `'${value}'` : value}\nTZ=UTC`,
    'environment file, quoted': ({ value, name }) => `export ${name}='${value}'\nnpm run start`,
    'field of json': ({ value, name }) =>
      `{\n  "host": "db.internal",\n  "${name.toLowerCase()}": "${value}"\n}`,
    'json in json': ({ value, name }) =>
      json({ type: 'tool_result', content: [{ text: json({ data: json({ [name]: value }) }) }] }),
    yaml: ({ value, name, noun }) =>
      `services:\n  api:\n    environment:\n      ${name}: ${noun === 'code' ? `'${value}'` : value}\n      TZ: UTC\n`,
    'json with entities': ({ value, name }) =>
      `<div data-props="${quoted('quot', { user: 'bob', [name.toLowerCase()]: value, n: 1 })}">`,
    'json with escaped quotes': ({ value, name }) =>
      json({ log: `x ${quoted('escaped', { id: 7, [name]: value, ok: true })}` }),
    'terraform output': ({ value, name, random }) =>
      pick(random, [
        `"${name.toLowerCase()}": {\n    "sensitive": true,\n    "type": "string",\n    "value": "${value}"\n  }`,
        `${name.toLowerCase()} = {\n  value     = "${value}"\n  sensitive = true\n}`,
      ]),
    'removed line of a diff': ({ value, name }) =>
      `diff --git a/x.yml b/x.yml\n--- a/x.yml\n+++ /dev/null\n@@ -1 +0,0 @@\n-${name}: "${value}"`,
    'numbered lines': ({ value, name, random }) =>
      prefixed(
        `HOST=a\n${name}="${value}"\nPORT=1`,
        pick<(at: number) => string>(random, [
          (at) => `${String(at).padStart(6)}\t`,
          (at) => `${at}: `,
          (at) => `  ${at} │ `,
          (at) => `${at}| `,
        ]),
      ),
  }),
  ...contextsOf(sets.stored, {
    'psql box': ({ value, noun }) =>
      box(
        [
          ['username', column(noun), 'created'],
          ['ann', value, '2026-01-02'],
          ['bob', value, '2026-01-03'],
        ],
        '',
      ),
    'mysql box': ({ value, noun }) =>
      box(
        [
          ['user_id', 'host', column(noun)],
          ['77', '%', value],
        ],
        '|',
      ),
    'csv behind a log prefix': ({ value, noun, random }) =>
      prefixed(
        `login,${column(noun)},role\nann,${value},admin`,
        pick<(at: number) => string>(random, [
          (at) => `${at}\t`,
          () => 'api-1  | ',
          () => '[2026-10-02 11:12:13,456] DEBUG ',
          () => 'Oct  2 11:12:13 web cron[812]: ',
        ]),
      ),
    'inserted row': ({ value, noun }) =>
      `insert into accounts(name,${column(noun)},created_at) values ('Bob','${value}',now()), ('Eve','${value}',now());`,
    'logs of containers': ({ value, name, random }) =>
      `${pick(random, ['[api] ', '2026-10-02T11:12:13.456Z stdout F ', 'shop-db-1 | ', '11:12:13 INFO '])}${name}=${value}`,
    'markdown table': ({ value, noun }) =>
      `| service | ${column(noun)} | owner |\n| :-- | --- | --: |\n| mail | \`${value}\` | bob |\n`,
    'long option': ({ value, name }) => `./run.sh --verbose --${kebab(name)}="${value}"`,
    'xml setting': ({ value, name }) =>
      `<property>\n  <name>${kebab(name).replaceAll('-', '.')}</name>\n  <value>${value}</value>\n</property>`,
  }),
  ...contextsOf(sets.spoken, {
    'sentence, English': spoken(0),
    'sentence, German': spoken(1),
    'sentence, French': spoken(2),
    'sentence, Spanish': spoken(3),
    'sentence, Italian': spoken(4),
    'sentence, Portuguese': spoken(5),
    'sentence, Polish': spoken(6),
    'sentence, Chinese': spoken(7),
  }),
  ...contextsOf(sets.passwords, {
    'filled form': ({ value, random }) =>
      pick(random, [
        `await page.getByLabel('Password').fill("${value}");`,
        `cy.get('input[name="password"]').type('${value}')`,
        `driver.find_element(By.ID, "password").send_keys("${value}")`,
        `await page.type('input[type=password]', '${value}', { delay: 20 })`,
      ]),
    'pair of name and password': ({ value, random }) =>
      pick(random, [
        `HTTPBasicAuth("svc-user", "${value}")`,
        `smtp.login('ann@shop.test', '${value}')`,
        `client.auth("ann", "${value}")`,
        `session.auth = ('ann', '${value}')`,
      ]),
    netrc: ({ value, random }) => {
      const file = `machine git.shop.test\nlogin ci\npassword ${value}`
      return pick(random, [
        prefixed(file, (at) => `${at}→`),
        prefixed(file, () => '-'),
        `cat ~/.netrc\n${file}`,
        prefixed(file, () => 'ci | '),
      ])
    },
    'identified by': ({ value, random }) =>
      pick(random, [
        `CREATE USER 'x'@'%' IDENTIFIED WITH caching_sha2_password BY '${value}';`,
        `SET PASSWORD FOR 'x'@'localhost' = '${value}';`,
        `CREATE LOGIN shop WITH PASSWORD = N'${value}';`,
        `alter role shop with login encrypted password '${value}'`,
      ]),
    'mail and password': ({ value, random }) => {
      const mail = `${draw(random, 'small', 5)}${draw(random, 'digit', 2)}@shop.${pick(random, ['com', 'de', 'net'])}`
      return pick(random, [
        `${mail}:${value}`,
        `${mail}|${value}|${draw(random, 'alnum', 24)}`,
        `${mail};${value}`,
        `${draw(random, 'digit', 15)}|${mail}|${value}`,
      ])
    },
    'wireless network': ({ value, random }) =>
      pick(random, [
        `nmcli dev wifi connect home password '${value}'`,
        `wpa_passphrase home '${value}'`,
        `[wifi-security]\nkey-mgmt=wpa-psk\npsk=${value}\n`,
      ]),
    sqlcmd: ({ value }) =>
      `/opt/mssql-tools18/bin/sqlcmd -C -S localhost,1433 -U SA -P "${value}" -i init.sql`,
    zip: ({ value, random }) =>
      pick(random, [
        `unzip -o -P ${value} backup.zip -d /tmp`,
        `7z x -p${value} a.7z`,
        `zip -er -P "${value}" a.zip b`,
      ]),
    az: ({ value }) => `az login --service-principal -u http://shop -p "${value}" --tenant t1`,
  }),
  ...contextsOf(['key'], {
    'key in an address': ({ value }) =>
      `GET /v2/geocode?address=Bern&key=${encodeURIComponent(value)} HTTP/1.1`,
  }),
  ...contextsOf(sets.cookies, {
    'cookie header': ({ value, name }) => json({ headers: { cookie: `_ga=GA1.1.2; ${name}=${value}` } }),
    'set-cookie': ({ value, name }) =>
      `HTTP/1.1 302\nSet-Cookie: ${name}=${value}; Max-Age=7200; SameSite=lax`,
    'curl -b': ({ value, name }) => `curl -s --cookie "${name}=${value}; a=b" http://localhost:8000/admin`,
  }),
  ...contextsOf(sets.codes, {
    'code, English': ({ value, random }) =>
      `${pick(random, ['Use this one-time code:', 'Enter the code', 'My 2FA code is', 'Your login code:', '2FA:', 'the SMS code was'])} ${value}`,
    'code, German': ({ value, random }) =>
      `${pick(random, ['Der Code ist', 'Ihr Einmalcode:', 'dein Sicherheitscode ist'])} ${value}.`,
    'code, French': ({ value, random }) =>
      `${pick(random, ['Le code est', 'Votre code de connexion :', 'code de sécurité :'])} ${value}`,
    'code, Spanish': ({ value, random }) =>
      `${pick(random, ['El código es', 'tu código de acceso:', 'Código de seguridad:'])} ${value}`,
    'code, Italian': ({ value, random }) =>
      `${pick(random, ['Il codice è', 'il tuo codice di accesso:', 'Codice OTP:'])} ${value}`,
    'code, Portuguese': ({ value, random }) =>
      `${pick(random, ['O código é', 'seu código de acesso:', 'Código de segurança:'])} ${value}`,
    'code, Polish': ({ value, random }) => `${pick(random, ['Kod to', 'Twój kod:', 'Kod SMS:'])} ${value}`,
    'code, Chinese': ({ value, random }) =>
      `${pick(random, ['您的验证码为', '验证码：', '动态码是'])}${value}，5分钟内有效`,
  }),
  ...contextsOf(sets.plain, {
    'alone in a message': ({ value }) => `here you go\n${value}\n`,
    'in a sentence': ({ value }) => `I wrote it down, "${value}", twelve or more of them`,
    'as a list': ({ value }) =>
      `words = [${value
        .split(' ')
        .map((each) => `'${each}'`)
        .join(', ')}]`,
    'numbered words': ({ value }) =>
      value
        .split(' ')
        .map((each, at) => `${at + 1}: ${each}`)
        .join(pickLine(value)),
  }),
]

/** A line end, or two spaces. */
function pickLine(value: string): string {
  return value.length % 2 === 0 ? '\n' : '  '
}
