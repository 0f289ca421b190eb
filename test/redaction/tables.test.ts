import { describe, expect, it } from 'vitest'
import { redact } from '../../src/redact/redact.ts'
import { createRandom } from '../random.ts'
import { draw } from './parts.ts'

const random = createRandom(31)
const password = ['Brezel', '1971!3w'].join('')
const word = ['maple', '4883'].join('')
const key = draw(random, 'alnum', 32)

/** Nothing is left of the secret, in a text, and in a record and JSON that hold it. */
function leaves(text: string, ...secrets: string[]): void {
  for (const whole of [
    text,
    `first:\n${text}\nlast`,
    JSON.stringify({ text }),
    JSON.stringify({ a: 1, text }),
  ])
    for (const secret of secrets) {
      expect(redact(whole), whole).not.toContain(secret)
      expect(redact(whole), whole).toContain('[REDACTED:')
    }
}

describe('a table whose header names a secret', () => {
  it.each([
    `"user","password"\n"ann","${password}"\n"bob","${word}"`,
    `"password","user"\n"${password}","ann"\n"${word}","bob"`,
    `"id","name","user password","note"\n"1","Ann","${password}","x"\n"2","Bob","${word}",""`,
    `"user";"password"\r\n"ann";"${password}"\r\n"bob";"${word}"\r\n`,
    `"user"\t"password"\n"ann"\t"${password}"\n"bob"\t"${word}"`,
    `"User Name", "Password"\n"Ann Lee", "${password}"\n"Bob", "${word}"`,
    `id,"user name",password\n1,"ann",${password}\n2,"bob",${word}`,
    `user,password\n"Lee, Ann",${password}\nbob,"${word}"`,
    `"user","password","note"\n"Lee, Ann","${password}","says ""hi"""\n"bob","${word}",`,
    `1→"user","password"\n2→"ann","${password}"\n3→"bob","${word}"`,
    `"url","username","password","httpRealm","guid"\n"https://shop.test","ann","${password}",,"{1}"\n"https://a.test","bob","${word}",,"{2}"`,
  ])('loses its values, with quotes and in any column: %#', (text) => {
    leaves(text, password, word)
  })

  it.each([
    ['**User**', '**Password**'],
    ['`user`', '`password`'],
    ['👤 User', '🔑 Password'],
    ['User', 'Password (prod)'],
    ['MFA?', 'Password'],
    ['Login', 'Pass'],
    ['Host', 'pw'],
    ['Benutzer', 'Kennwort'],
    ['Utilisateur', 'Mot de passe'],
    ['Usuario', 'Contraseña'],
    ['Użytkownik', 'Hasło'],
    ['用户名', '密码'],
    ['登录名', '登录密码'],
    ['Пользователь', 'Пароль'],
    ['userName', 'userPassword'],
  ])('loses them in Markdown, below %s and %s', (one, other) => {
    leaves(`| ${one} | ${other} |\n|---|---|\n| ann | ${password} |\n| bob | \`${word}\` |`, password, word)
    leaves(`| ${other} | ${one} |\n|:--|--:|\n| ${password} | ann |\n| ${word} | bob |`, password, word)
  })

  it.each([
    `| user | password |\n| ann | ${password} |\n| bob | ${word} |`,
    `user | password\n--- | ---\nann | ${password}\nbob | ${word}`,
    `| user | password |\n|---|---|\n| a\\|b | ${password} |\n| bob | ${word} |`,
    `user,pass\nann,${password}\nbob,${word}`,
    `user,pw\nann,${password}\nbob,${word}`,
    `pass,user\n${password},ann\n${word},bob`,
  ])('loses them without a line below the header, and with bars in cells: %#', (text) => {
    leaves(text, password, word)
  })

  it.each(['client_secret', 'apiToken', 'accessToken', 'API Key', 'secret key', 'bot_token'])(
    'loses keys below %s',
    (name) => {
      leaves(`"app","${name}"\n"web","${key}"`, key)
      leaves(`| App | ${name} |\n|---|---|\n| web | ${key} |`, key)
    },
  )
})

describe('a list of accounts', () => {
  it.each([
    `ann@shop.test:${password}\nbob.lee@mail.online:${word}`,
    `ann@corp.local:${password}\nbob@corp.local:${word}`,
    `- ann@shop.xyz: ${password}\n- bob@shop.xyz: ${word}`,
    `1. ann@shop.cloud:${password}\n2. bob@shop.cloud:${word}`,
    `ann@shop.example|${password}|Ann\nbob@shop.example|${word}|Bob`,
  ])('loses its passwords: %#', (text) => {
    leaves(text, password, word)
  })

  it('loses weak passwords too, which are left alone in one line', () => {
    const [weak, other] = [['hunter', '2'].join(''), ['sunny', '12'].join('')]
    leaves(`ann@shop.test:${weak}\nbob@shop.test:${other}`, weak, other)
    expect(redact(`mail to ann@shop.test:${weak} today`)).toContain(weak)
  })
})

describe('the address of a database for Go', () => {
  it.each([
    `dsn := "app:${password}@tcp(db.internal:3306)/shop?parseTime=true"`,
    `MYSQL_DSN=app:${word}@tcp(127.0.0.1:3306)/shop`,
    `db, err := sql.Open("mysql", "root:${password}@tcp(localhost)/app")`,
    `app:${password}@unix(/tmp/mysql.sock)/shop`,
    `dsn: app:${word}@(db:3306)/shop`,
    `app:${password}@/shop?charset=utf8mb4`,
    `app:p@ss:${password}@tcp(db:3306)/shop`,
  ])('loses its password: %#', (text) => {
    leaves(text, password.slice(0, 8) === text.slice(0, 8) ? password : text.includes(word) ? word : password)
    expect(redact(text)).toMatch(/(?:app|root):\[REDACTED:connection-string\]@/)
  })
})

describe('a deploy token of Clojars', () => {
  it.each([24, 40, 56, 60, 64])('is redacted with %d letters, wherever it stands', (length) => {
    const token = `CLOJARS${'_'}${draw(random, 'hex', length)}`
    for (const text of [
      `use ${token} there`,
      `:password "${token}"`,
      `LEIN_PASS=${token}`,
      `ann:${token}@repo`,
    ])
      leaves(text, token)
  })
})

/** Tables, lists and addresses in which nothing is secret. */
const harmless = [
  '| Option | Default | Password |\n|---|---|---|\n| length | 12 | required |',
  '| Test | Pass | Fail |\n|---|---|---|\n| redaction | 1234567 | 0 |',
  '| Test name | Pass | Skip |\n|---|---|---|\n| login as admin2 | v1.2.3-rc4 | 0 |',
  '| Suite | Server | Pass |\n|---|---|---|\n| api | web1 | 98.4% |\n| ui | web2 | 512/512 |',
  '| Check | User | Pass |\n|---|---|---|\n| lint | ann | yes, 12 of 12 |',
  '| Browser | Version | Pass |\n|---|---|---|\n| Firefox | 128.0.3esr | ✓ |',
  '| Field | Type | Token |\n|---|---|---|\n| id | uuid | access_token |',
  '| Token | Meaning |\n|---|---|\n| IDENT | name of a variable |\n| NUMBER_2 | 0x1F |',
  '| Token | Count |\n|---|---|\n| the | 1204331 |\n| a | 984112 |',
  '| model | token |\n|---|---|\n| opus | 200000 |',
  '| user | password |\n|---|---|\n| ann | hidden |\n| bob | (unchanged) |',
  '| user | password |\n|---|---|\n| ann | ******** |\n| bob | <your password> |',
  ['| Service | Password |\n|---|---|\n| db | `$', '{DB_PASSWORD}` |\n| cache | none |'].join(''),
  '| Service | Password |\n|---|---|\n| db | see 1Password |\n| cache | in Vault (kv/prod) |',
  '| Variable | Secret |\n|---|---|\n| NODE_ENV | no |\n| DATABASE_URL | yes |',
  '| Name | Secret | Scope |\n|---|---|---|\n| deploy | DEPLOY_KEY | repo |',
  '| App | API key |\n|---|---|\n| web | process.env.API_KEY |',
  '| Header | API key |\n|---|---|\n| x-api-key | string (required) |',
  '| Plan | API Key | Rate |\n|---|---|---|\n| free | optional | 60/min |',
  '| User | Passwords |\n|---|---|\n| ann | 3 of 5 stored |',
  '| 用户名 | 密码 |\n|---|---|\n| 必填 | 至少八位 |',
  '| Champ | Mot de passe |\n|---|---|\n| longueur | minimum 12 caractères |',
  '| Campo | Contraseña |\n|---|---|\n| longitud | obligatoria |',
  '| Feld | Kennwort |\n|---|---|\n| Länge | mindestens 12 |',
  'user,password\nann,\nbob,\n',
  'user,password_hash\nann,$2b$10$abcdefghijklmnopqrstuv\n',
  '"user","password_set"\n"ann","true"\n"bob","false"',
  '"user","password"\n"ann","changeme"\n"bob","********"',
  '"user","password"\n"ann",""\n"bob",""',
  '"column","type"\n"password","varchar(255)"\n"token","text"',
  '"password","varchar(255)","not null"\n"token","char(64)","null"',
  '"name","token_count"\n"opus","128000"\n"sonnet","64000"',
  '"test","pass"\n"login works","1234567"',
  '"suite","name","pass"\n"api","signs in","true"',
  'const fields = [\n  "user", "password",\n  "mail2", "Token3rd",\n]',
  "const fields = [\n  'user', 'password',\n  'mail', 'phone2nd'\n]",
  'form.append("user", "password")\nform.append("host", "db-01.test")',
  'login("user", "password",\n      "host-01a", "Port#8080")',
  '["user","password"]\n["mail","phone"]',
  '{"columns":["user","password"],"rows":[["ann","hidden"]]}',
  'SELECT "user", "password"\nFROM "users", "Accounts2"\nWHERE id = 1',
  'INSERT INTO users (user, password)\nVALUES (?, ?)',
  'def login(user, password):\n    return check(user, hash2(password))',
  'function login(user, password,\n  options, retries3) {',
  'the user, the host, the password\nand the key, the port 5432, the name',
  'Enter user, password\nand press Return, then F10',
  'user | password | role\nwho signs in | what they type | what they may do',
  '✓ login › rejects a wrong password\n✓ login › asks for a token',
  'tests pass, 12 files\nlint pass, 3 warnings in web2.ts',
  'pass,fail,skip\n1204331,0,12',
  'write to ann@shop.test: she knows the password',
  'ann@shop.test:admin\nbob@shop.test:editor\neve@shop.test:viewer',
  '- ann@shop.test: wrote 3 files\n- bob@shop.test: read 12',
  'Author: ann@shop.test:\n  fixed login2',
  'scp dist.tgz ann@web1.shop.test:releases/v2.10/\nscp a ann@web1.shop.test:/srv',
  'git@git.shop.test:shop/api.git\ngit@git.shop.test:shop/web.git',
  'ssh://ann@web1.shop.test:22022\nssh://bob@web1.shop.test:22022',
  'ann@shop.test:5432\nbob@shop.test:8080',
  'ann@shop.test|2026-03-01|12\nbob@shop.test|2026-03-02|9',
  "import { Button } from '@/components/ui/button'\nimport x from '@/lib?url'",
  'pattern: src/lib:files@(a|b|c)/*.ts',
  'dsn := fmt.Sprintf("%s:%s@tcp(%s:%d)/%s?parseTime=true", user, pass, host, port, name)',
  'user:password@tcp(localhost:3306)/dbname',
  'DSN=$DB_USER:$DB_PASSWORD@tcp($DB_HOST:3306)/shop',
  'root:root@tcp(127.0.0.1:3306)/test',
  'the form is user:<password>@tcp(host:port)/name',
  'export CLOJARS_USERNAME=ann CLOJARS_PASSWORD=$CLOJARS_TOKEN',
  'CLOJARS_DEPLOY_TOKEN_FROM_THE_SETTINGS_OF_THE_PROJECT',
]

describe('a table, a list or an address without a secret', () => {
  it.each(harmless)('is left as it is: %#', (text) => {
    for (const whole of [text, `first:\n${text}\n`, JSON.stringify({ text })])
      expect(redact(whole)).toBe(whole)
  })

  it('takes a time in proportion to its length, whatever is repeated', () => {
    for (const unit of [
      '"user","password"\n',
      '"user","password',
      'user,password\n',
      '| user | password |\n',
      '|password|pass',
      '🔑 Password |',
      'ann@shop.test:x\n',
      'a:b@tcp(',
      ':@tcp(',
      'a:@/b?charset=',
      'CLOJARS_',
      '\\"password\\",',
    ]) {
      const started = performance.now()
      redact(unit.repeat(Math.ceil(200_000 / unit.length)))
      expect(performance.now() - started, unit).toBeLessThan(5000)
    }
  })
})

it('has sixty harmless texts or more', () => {
  expect(harmless.length).toBeGreaterThanOrEqual(60)
})

describe('the size of a table', () => {
  const people = Array.from({ length: 2500 }, (_, at) => ({
    name: `u${at}`,
    secret: `${draw(random, 'alnum', 6)}47_${draw(random, 'alnum', 6)}`,
  }))
  const rows = (row: (name: string, secret: string) => string, between = '\n'): string =>
    people.map(({ name, secret }) => row(name, secret)).join(between)

  it.each([
    `name,password\n${rows((name, secret) => `${name},${secret}`)}`,
    `| name | password |\n|---|---|\n${rows((name, secret) => `| ${name} | ${secret} |`)}`,
    ` name | password | role\n------+----------+------\n${rows((name, secret) => ` ${name} | ${secret} | admin`)}`,
    `NAME   PASSWORD   ROLE\n${rows((name, secret) => `${name}   ${secret}   admin`)}`,
    ` password\n----------\n${rows((_, secret) => ` ${secret}`)}`,
    `INSERT INTO users (name, password) VALUES ${rows((name, secret) => `('${name}', '${secret}')`, ', ')};`,
    `COPY users (name, password) FROM stdin;\n${rows((name, secret) => `${name}\t${secret}`)}`,
  ])('does not matter: %#', (text) => {
    for (const whole of [redact(text), redact(JSON.stringify({ text }))])
      expect(people.filter(({ secret }) => whole.includes(secret))).toEqual([])
  })

  it.each([3000, 12_000])(
    'nor does that of a value or of the cells before it, with %s characters',
    (length) => {
      const value = draw(random, 'alnum', length)
      const beginning = value.slice(0, 24)
      for (const text of [
        `API_SECRET=${value}\n`,
        `"api_secret": "${value}"`,
        `https://x.test/a?access_token=${value}&x=1`,
        `Cookie: laravel_session=${value}; a=b`,
        `authorization: ${value}`,
        `<password>${value}</password>`,
        `{"name":"session","value":"${value}","httpOnly":true}`,
      ]) {
        expect(redact(text), text.slice(0, 60)).not.toContain(beginning)
        expect(redact(JSON.stringify({ text })), text.slice(0, 60)).not.toContain(beginning)
      }
      const note = 'water the fern '.repeat(length / 15)
      leaves(`name,note,password\nann,${note},${password}\nbob,${note},${word}`, password, word)
      leaves(`| name | note | password |\n|---|---|---|\n| ann | ${note} | ${password} |`, password)
    },
  )

  it('does not matter to codes below their name', () => {
    const codes = Array.from(
      { length: 150 },
      () => `${draw(random, 'alnum', 5).toLowerCase()}1-${draw(random, 'alnum', 5).toLowerCase()}2`,
    )
    const whole = redact(`Recovery codes:\n${codes.join('\n')}`)
    expect(codes.filter((code) => whole.includes(code))).toEqual([])
  })

  it('nor do words before its header, comments and empty lines between its rows', () => {
    leaves(`The export: name,email,password\nann,a@x.test,${password}\nbob,b@x.test,${word}`, password, word)
    leaves(`name,password\n# people\nann,${password}\n\n\nbob,${word}`, password, word)
    leaves(`name;password\n\n\nann;${password}\n# end`, password)
  })

  it('ends at no row that reads like a heading, is weak, or has a cell of several lines', () => {
    const like = ['RDkIg47', '9ej3PW'].join('_')
    leaves(`name,password\nann,${like}\nbob,${word}`, like, word)
    leaves(`name,password\nann,SummerPass\nbob,${word}`, word)
    leaves(`| name | password |\n|---|---|\n| ann | SummerPass |\n| bob | ${word} |`, word)
    leaves(`NAME   PASSWORD   ROLE\nann   SummerPass   admin\nbob   ${word}   admin`, word)
    leaves(` name | password\n------+---------\n ann  | SummerPass\n bob  | ${word}`, word)
    leaves(` password\n----------\n sunflower\n ${word}\n(2 rows)`, word)
    leaves(`name,note,password\nann,"likes\nferns, and pots\nof clay",${word}\nbob,x,${password}`, password)
  })
})
