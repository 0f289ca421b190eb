import { describe, expect, it } from 'vitest'
import { redact } from '../../src/redact/redact.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { createRandom } from '../random.ts'
import { draw } from './parts.ts'

/** Forms of tables, lists and calls that people write, with invented passwords and keys. */

const { redactJsonLine } = createRedactor({ level: 'standard' })
const random = createRandom(57)
const password = ['Brezel', '1971!3w'].join('')
const other = ['maple', '4883Kq'].join('')
const words = ['turtle', 'Gato!'].join('')
const word = ['sun', 'flower'].join('')
const key = `${draw(random, 'alnum', 24)}7x`

/** Nothing is left of the secrets that a text contains, and redacting it again changes nothing. */
function loses(text: string): void {
  const secrets = [password, other, words, word, key].filter((each) => text.includes(each))
  expect(secrets).not.toEqual([])
  for (const whole of [text, `first:\n${text}\nlast`]) {
    const redacted = redact(whole)
    for (const secret of secrets) expect(redacted, whole).not.toContain(secret)
    expect(redact(redacted)).toBe(redacted)
    expect(JSON.parse(redactJsonLine(JSON.stringify({ a: 1, text: whole })).text).text).toBe(redacted)
  }
}

describe('a table whose header names a secret', () => {
  it.each([
    `created_at,token\n2026-01-01,${key}`,
    `uuid;active;password\n8de3d0ac-aaea-43d6-a352-c5d38f00f694;true;${password}`,
    `API_TOKEN\tcreated_at\n${key}\t2026-01-01`,
    `valid_until,encryption_key\n2027-01-01,${key}`,
    `,user,password\n0,ann,${password}\n1,bob,${other}`,
    `passwd,username\n${password},ann`,
  ])('loses its values, whatever the other columns are: %#', loses)

  it.each([
    'usuario;contraseña;rol',
    'identifiant;mot_de_passe;courriel',
    'brugernavn;adgangskode;rolle',
    'användare;lösenord;roll',
    'käyttäjä;salasana;rooli',
    'jméno;heslo;poznámka',
    'gebruiker;wachtwoord;rol',
    'użytkownik;hasło;rola',
    'kullanıcı;şifre;rol',
    'логин;пароль;роль',
    'ユーザー;パスワード;役割',
    '아이디;비밀번호;역할',
    'usuário;senha;perfil',
    'First Name [Required];Password [Required];Org Unit',
  ])('loses them in other languages and below remarks: %s', (header) => {
    loses(`${header}\nann;${password};x\nbob;${other};y`)
    loses(`${header.replaceAll(';', ',')}\nann,${password},x`)
  })

  it.each([
    `data = """user,password\nann,${password}\nbob,${other}\n"""`,
    `const csv = \`when,token\n2026,${key}\`;`,
    `printf 'when,token\\n2026,${key}\\n' > t.csv`,
    `echo "user,password\nann,${password}" > u.csv`,
  ])('loses them if the header stands behind the quote of a string: %#', loses)

  it.each([
    `user,password\n\nann,${password}\n\nbob,${other}`,
    `Name  Password       Role\n----  -------------  -----\nann   ${password}  admin\nbob   ${other}    user`,
    `when   password       role\n2026   ${password}  admin\n2027   ${other}    user`,
    `┏━━━━┳━━━━━━━━━━┓\n┃ id ┃ password ┃\n┡━━━━╇━━━━━━━━━━┩\n│ 1  │ ${password} │\n│ 2  │ ${other} │\n└────┴──────────┘`,
    `║ # ║ password ║\n╠═══╬══════════╣\n║ 1 ║ ${password} ║`,
    ` user_password | id\n---------------+----\n ${password} | 1\n ${other}   | 2`,
    `access_token | id\n---|---\n${key} | 1`,
    `-[ RECORD 1 ]+------\nid           | 1\nAPI Key      | ${key}\nMot de passe | ${password}`,
  ])('loses them with blank lines, in boxes, below rules and as records: %#', loses)

  it.each([
    'INFO:root:',
    'I, [2026-01-01T10:00:00.123456 #42]  INFO -- : ',
    'build\tRun seed\t2026-01-01T10:00:00.1234567Z ',
    'api-6d9f7c-x2k4q api ',
    '2026-01-01 10:00:00,123 [main] DEBUG c.shop.Import - ',
    'seed.csv:12:',
    'E       ',
    'worker 7 says: ',
  ])('loses them behind what precedes every line: %j', (prefix) => {
    const behind = (...lines: string[]): void => loses(lines.map((each) => prefix + each).join('\n'))
    behind('when,token', `2026,${key}`)
    behind('"when","token"', `"2026","${key}"`)
    behind("'token','when'", `'${key}','2026'`)
    behind('| when | token |', '|---|---|', `| 2026 | ${key} |`)
    behind('INSERT INTO users (name, password) VALUES', `  ('ann', '${password}'),`, `  ('bob', '${other}');`)
    behind('INSERT INTO users (', '  name,', '  password', `) VALUES ('ann', '${password}');`)
  })

  it('loses a word with a sign, and two words with one', () => {
    loses(`user,password\nann,${words}\nbob,${word}!`)
    loses(`{"password": "${words}"}`)
  })
})

describe('a statement of SQL', () => {
  it.each([
    `INSERT [dbo].[Users] ([Name], [Password]) VALUES (N'ann', N'${password}')`,
    `INSERT OR IGNORE INTO users (name, password) VALUES ('ann', '${password}');`,
    `INSERT ALL\n  INTO users (name, pwd) VALUES ('ann', '${password}')\n  INTO users (name, pwd) VALUES ('bob', '${other}')\nSELECT * FROM dual;`,
    `INSERT INTO users (name, password) VALUES ('Sean O''Hara, jr.', '${password}');`,
    `INSERT INTO users (name, password) VALUES ('it\\'s', '${password}');`,
    `INSERT INTO users (name, password) VALUES ('ann'::text, '${password}'::varchar(40)), ('bob', '${other}');`,
    `INSERT INTO users (name, password) VALUES ('ann', crypt('${password}', gen_salt('bf')));`,
    `INSERT INTO users (name, password) SELECT 'ann', '${password}' WHERE NOT EXISTS (SELECT 1);`,
    `COPY users (id, password) FROM stdin;\n1\t${password}\n2\t${other}\n\\.`,
    `COPY users (id, password) FROM stdin WITH (FORMAT csv);\n1,${password}\n\\.`,
  ])('loses the values of its secret columns: %#', loses)
})

describe('a list of accounts', () => {
  it.each([
    `ann@shop.test | ${password} | ${key}\nbob@shop.test | ${other} | ${key}`,
    `ann@shop.test\t${password}\nbob@shop.test\t${other}`,
    `ann@shop.test : ${password}`,
    `https://shop.test/login:ann@shop.test:${password}`,
    `ann@shop.test:${words}`,
    `ann@shop.test:${word}\nbob@shop.test:${other}`,
  ])('loses passwords with spaces, tabs and addresses of sites around them, and words: %#', loses)

  it.each([
    'ann@shop.test|8de3d0ac-aaea-43d6-a352-c5d38f00f694|active',
    'ann@shop.test|team-7|2026-01-01',
    '| ann@shop.test | Build-42b | ok |\n| bob@shop.test | Build-43b | ok |',
    'ann@shop.test:Berlin\nbob@shop.test:Paris',
    'ann@shop.test:web-01\nbob@shop.test:web-02',
    'uri://user:pass@shop.test:123/one/two.three?q1=a1&q2=a2#body',
  ])('keeps ids, groups, hosts and places: %#', (text) => {
    expect(redact(text)).toBe(text)
  })
})

describe('a call', () => {
  it.each([
    `requests.get(url, auth=(\n    'ann',\n    '${password}',\n))`,
    `cy.loginAs('ann', '${password}')`,
    `await loginWith(page, 'ann', '${password}')`,
    `signInWithEmailAndPassword(auth, 'ann@shop.test', '${password}')`,
    `new mysqli("localhost", "root", "${password}", "shop")`,
    `fireEvent.change(getByLabelText('Password'), { target: { value: '${password}' } })`,
    `await userEvent.type(passwordInput, '${password}')`,
    `passwordField.sendKeys("${words}")`,
    `app.secureTextFields["Password"].typeText("${password}")`,
    `onView(withId(R.id.password)).perform(typeText("${password}"))`,
    `fill_in :password, with: '${password}'`,
    `Input Password    id:password    ${password}`,
    `machine git.test\n  password ${password}\n  login ann`,
  ])('loses the password that it sends or types: %#', loses)
})

describe('what only looks like a secret', () => {
  it.each([
    '| Token | Value |\n|---|---|\n| elevation.shadow.16 | 4px |\n| $color-gray-100 | #eee |\n| colorBrandBackground2 | #fff |',
    'SECRET,NAMESPACE,TYPE\ndefault-token-x7k2p,default,Opaque',
    'table,password,token\nusers,varchar(255),char(60)',
    'table | password\n------+---------\nusers | NOT NULL',
    'registry.test:5000/monkey:4.9-alpine@sha256:3b1a76268646e02ba6e2496fdf844ba5e0a4a18039a0d958ae079850cb455dd4',
    'machine learning login page password reset',
    'id,next_page_token\n1,CAUQAA1x9Zk3kr4i5azm9ktk',
    'import user, password\nimport host, port22x',
    'SELECT id, password\nFROM users, Accounts2',
    "type Kind =\n\t| 'password'\n\t| 'week2day';",
    '\t// The first model with a valid API key\n\tprocess.exit(1);',
    '  --password  secret\n  --token     value1a2b',
    'login(user, "password", "dashboard2")',
    "credentials('<an access token>',\n    'my-user-agent/1.0')",
    'passwordInput.fill(password)',
    'insert into the queue (password, token) values (see below)',
  ])('is left as it is: %#', (text) => {
    expect(redact(text)).toBe(text)
    expect(redact(`first:\n${text}\n`)).toBe(`first:\n${text}\n`)
  })

  it('takes a time in proportion to its length, whatever is repeated', () => {
    for (const unit of [
      'password  token\n',
      'user  password\n----  --------\n',
      'user,password,\n\n',
      'insert into x (a, password) values (',
      'copy a (b, password) from stdin\n',
      '-[ RECORD 1\npassword | x\n',
      'ann@shop.test:pepper\n',
      'ann@shop.test\tA1b!cdef\n',
      '`user,password\n',
      'x.type(passwordInput, ',
    ]) {
      const started = performance.now()
      redact(unit.repeat(Math.ceil(100_000 / unit.length)))
      expect(performance.now() - started, unit).toBeLessThan(5000)
    }
  })
})
