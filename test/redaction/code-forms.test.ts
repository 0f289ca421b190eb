import { describe, expect, it } from 'vitest'
import { redact } from '../../src/redact/redact.ts'
import { createRandom } from '../random.ts'
import { draw } from './parts.ts'

const random = createRandom(107)
const password = ['Nuss', 'Kipferl88zW'].join('')
const old = ['Mohn', 'Strudel31qX'].join('')
const key = `${draw(random, 'alnum', 30)}4f`

const isRedacted = (text: string, value: string): void => {
  const whole = text.replace('§', value)
  for (const each of [whole, `+${whole}`, JSON.stringify({ content: `x\n${whole}` })])
    expect(redact(each), each).not.toContain(value)
  // Only the value is replaced.
  const [before, after] = text.split('§')
  expect(redact(whole).startsWith(before!) && redact(whole).endsWith(after!), redact(whole)).toBe(true)
}

const stays = (text: string): void => expect(redact(text)).toBe(text)

describe('a password in code', () => {
  it.each([
    ...['password = b"§"', "password = r'§'", 'password = f"§"', 'let password = String::from("§");'],
    ...['static const char PASSWORD[] = "§";', '#define WIFI_PASS "§"', 'keyPassword "§"'],
    ...["const password = process.env.PASSWORD || '§';", `DB_PASSWORD="$${'{DB_PASSWORD:-§}'}"`],
    ...[`PASSWORD=$${'{PASSWORD:-§}'}`, 'string Password { get; set; } = "§";', '.setPassword("§")'],
    ...["bob.set_password('§')", 'builder.password("§")', 'db.withPassword("§")'],
    ...["create_superuser('bob','bob@shop.test','§')", "new PDO('mysql:host=h', 'bob', '§')"],
    ...['DriverManager.getConnection(url, "bob", "§")', 'val password by extra("§")'],
    ...["['password'=>bcrypt('§')]", 'bindpw §', 'rootpw §', 'olcRootPW: §', 'ldap_default_authtok = §'],
    ...['stats auth bob:§', "SELECT pgp_sym_encrypt(data, '§') FROM t;"],
    ...["SET PASSWORD = PASSWORD('§');", '<setting name="Password"><value>§</value></setting>'],
    ...['<password encrypted="false">§</password>', '<wsse:Password Type="a#b">§</wsse:Password>'],
    ...['<Password><![CDATA[§]]></Password>', '<variable name="DB_PASSWORD">§</variable>'],
    ...['<param-name>password</param-name><param-value>§</param-value>', "DB_PASSWORD=$'§'"],
    ...['parser.add_argument("--password", default="§")', 'props.put("password", "§")'],
    ...[`cy.get('#pw').clear().type("§")`, 'auth_pass §'],
    ...['password:\u00a0§', 'the password is\u00a0§'],
    ...['{"passwords":["§"]}', '{"passwords":["first", "§"]}'],
  ])('is redacted: %s', (text) => isRedacted(text, password))

  it.each([
    ...['<string name="api_token">§</string>', '<Parameter name="clientSecret">§</Parameter>'],
    ...['const secret = process.env.SECRET ?? "§";', "jwt.sign({ id: user.id }, '§')"],
    ...['.header("X-Api-Key", "§")', "req.setHeader('X-Api-Key', '§')"],
    ...['cookieSession({ keys: ["§"] })', "string(value: '§', variable: 'TOKEN')"],
  ])('may be a key: %s', (text) => isRedacted(text, key))

  it('is redacted with the keys that are typed behind it', () => {
    expect(redact(`cy.get('#password').type('${password}#{enter}')`)).not.toContain(password)
  })

  it('is redacted in a plan, the old one and the new one', () => {
    const redacted = redact(`  ~ password = "${old}" -> "${password}"`)
    expect(redacted).toBe('  ~ password = "[REDACTED:password]" -> "[REDACTED:password]"')
  })

  it('is told from other code', () => {
    for (const text of [
      'password = f"{user}1234567"',
      `PASSWORD=$${'{PASSWORD:-$OTHER}'}`,
      'const token = process.env.TOKEN ?? readToken();',
      '<string name="password">Password</string>',
      '<string name="login_token_expired">Your session has expired.</string>',
      'char password[64];',
      '.setPassword(newPassword2)',
      'faker.internet.password(12)',
      'new PDO($dsn, $user, $password)',
      'jwt.verify(token, process.env.JWT_SECRET)',
      'keys: ["id", "name"]',
      '  ~ size = "small" -> "large1234"',
      'user = "bob"',
      '<input type="password" name="password">',
      'props.put("password", password2)',
      'parser.add_argument("--token", default=None, help="a token123")',
      'password: |\n  Choose a long one.\n',
    ])
      stays(text)
  })
})
