import { draw, pick } from '../parts.ts'
import { box, type Context, camel, column, contextsOf, json, kebab, quoted, sets } from './contexts.ts'

/** How the nouns are said in the languages of the sentences. */
const nounsIn = {
  password: [
    'the password',
    'das Passwort',
    'le mot de passe',
    'la contraseña',
    'la password',
    'a senha',
    'hasło',
    '密码',
  ],
  key: [
    'the API key',
    'der API-Key',
    "la clé d'API",
    'la clave de API',
    'la chiave API',
    'a chave de API',
    'klucz API',
    'API 密钥',
  ],
  token: ['the token', 'das Token', 'le token', 'el token', 'il token', 'o token', 'token', '令牌'],
} as const
const copulas = [' is ', ' ist ', ' est ', ' es ', ' è ', ' é ', ' to ', '是']

const spoken =
  (language: number): Context['write'] =>
  ({ value, noun }) =>
    `ok, ${nounsIn[noun as keyof typeof nounsIn][language]}${copulas[language]}${value}`

/** The contexts on which the rules were written. */
export const knownContexts: readonly Context[] = [
  ...contextsOf(sets.named, {
    'environment file': ({ value, name, noun }) =>
      `NODE_ENV=production\n${name}=${noun === 'phrase' ? `"${value}"` : value}\nPORT=3000\n`,
    'environment file, quoted': ({ value, name }) => `${name}="${value}"\nLOG_LEVEL=info`,
    'field of json': ({ value, name }) => json({ region: 'eu', [camel(name)]: value, retries: 3 }),
    'json in json': ({ value, name }) => json({ output: json({ [camel(name)]: value, ok: true }) }),
    yaml: ({ value, name, noun }) =>
      `app:\n  host: db\n  ${name.toLowerCase()}: ${noun === 'code' ? `"${value}"` : value}\n  pool: 5\n`,
    'json with entities': ({ value, name }) => `<pre>${quoted('quot', { [camel(name)]: value })}</pre>`,
    'json with escaped quotes': ({ value, name }) =>
      `{"stdout":"${quoted('escaped', { [camel(name)]: value })}"}`,
    'terraform output': ({ value, name }) =>
      json({ [name.toLowerCase()]: { value, type: 'string', sensitive: true } }),
    'removed line of a diff': ({ value, name }) => `@@ -1,2 +1,1 @@\n-${name}="${value}"\n PORT=80`,
    'numbered lines': ({ value, name }) => `     1\tPORT=3000\n     2\t${name}="${value}"\n     3\tHOST=::\n`,
  }),
  ...contextsOf(sets.stored, {
    'psql box': ({ value, noun }) =>
      box(
        [
          ['id', 'email', column(noun)],
          ['1', 'a@shop.test', value],
        ],
        '',
      ),
    'mysql box': ({ value, noun }) =>
      box(
        [
          ['id', column(noun)],
          ['1', value],
        ],
        '|',
      ),
    'csv behind a log prefix': ({ value, noun }) =>
      `2026-10-01T08:00:00Z INFO name,${column(noun)}\n2026-10-01T08:00:00Z INFO ann,${value}\n`,
    'inserted row': ({ value, noun }) =>
      `INSERT INTO users (id, email, ${column(noun)}) VALUES (1, 'a@shop.test', '${value}');`,
    'logs of containers': ({ value, name }) => `web-1  | ${name}=${value}\nweb-1  | listening on 80`,
    'markdown table': ({ value, noun }) =>
      `| id | email | ${column(noun)} |\n|---|---|---|\n| 1 | a@shop.test | ${value} |`,
    'long option': ({ value, name }) => `shopctl login --${kebab(name)} '${value}' --yes`,
    'xml setting': ({ value, name }) => `<add key="${name}" value="${value}" />`,
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
    'filled form': ({ value }) => `await page.fill('#password', '${value}')`,
    'pair of name and password': ({ value }) => `requests.get(url, auth=('bob', '${value}'))`,
    netrc: ({ value }) => `     1\tmachine api.shop.test\n     2\t  login bob\n     3\t  password ${value}\n`,
    'identified by': ({ value }) => `ALTER USER a IDENTIFIED WITH mysql_native_password BY '${value}';`,
    'mail and password': ({ value, random }) =>
      `joe${draw(random, 'digit', 2)}@mail.test:${value}:EA${draw(random, 'alnum', 30)}`,
    'wireless network': ({ value }) => `network={\n  ssid="home"\n  psk="${value}"\n}`,
    sqlcmd: ({ value }) => `sqlcmd -S db -U sa -P ${value} -Q "select 1"`,
    zip: ({ value }) => `zip -P '${value}' -r out.zip data/`,
    az: ({ value }) => `az login -u a@shop.test -p '${value}'`,
  }),
  ...contextsOf(['key'], {
    'key in an address': ({ value }) => `https://maps.shop.test/js?key=${encodeURIComponent(value)}&v=3`,
  }),
  ...contextsOf(sets.cookies, {
    'cookie header': ({ value, name }) => `Cookie: theme=dark; ${name}=${value}; lang=en`,
    'set-cookie': ({ value, name }) => `< set-cookie: ${name}=${value}; path=/; httponly`,
    'curl -b': ({ value, name }) => `curl -b '${name}=${value}' https://shop.test`,
  }),
  ...contextsOf(sets.codes, {
    'code, English': ({ value, random }) =>
      `${pick(random, ['Your verification code is', 'code', 'the code is', 'OTP:'])} ${value}`,
    'code, German': ({ value }) => `Dein Bestätigungscode lautet ${value}`,
    'code, French': ({ value }) => `Votre code de vérification est ${value}`,
    'code, Spanish': ({ value }) => `Tu código de verificación es ${value}`,
    'code, Italian': ({ value }) => `Il codice di verifica è ${value}`,
    'code, Portuguese': ({ value }) => `O código de verificação é ${value}`,
    'code, Polish': ({ value }) => `Kod weryfikacyjny to ${value}`,
    'code, Chinese': ({ value }) => `验证码是${value}`,
  }),
  ...contextsOf(sets.plain, {
    'alone in a message': ({ value }) => value,
    'in a sentence': ({ value }) => `My wallet words are ${value}. Keep them safe.`,
    'as a list': ({ value }) => json(value.split(' ')),
    'numbered words': ({ value }) =>
      value
        .split(' ')
        .map((each, at) => `${at + 1}. ${each}`)
        .join('\n'),
  }),
]
