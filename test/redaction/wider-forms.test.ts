import { describe, expect, it } from 'vitest'
import { redact } from '../../src/redact/redact.ts'
import { createRedactor } from '../../src/redact/redactor.ts'
import { createRandom } from '../random.ts'
import { draw } from './parts.ts'

const random = createRandom(211)
const password = ['Mohn_', 'Kuchen1988'].join('')
const hexKey = `${draw(random, 'hex', 39)}7`
const { redactJsonLine } = createRedactor({ level: 'standard' })

/** The value as a text, as a line among others and in a record. Only it is replaced. */
const isRedacted = (text: string, value: string): void => {
  const whole = text.replace('§', () => value)
  const [before, after] = text.split('§')
  const redacted = redact(whole)
  expect(redacted.startsWith(before!) && redacted.endsWith(after!), redacted).toBe(true)
  for (const each of [redacted, redact(`  12\t${whole}`), redact(JSON.stringify({ content: `x\n${whole}` }))])
    expect(each, whole).not.toContain(value)
  const content = (JSON.parse(redactJsonLine(JSON.stringify({ content: whole })).text) as { content: string })
    .content
  expect(content).toBe(redacted)
}

const stays = (text: string): void => expect(redact(text)).toBe(text)

describe('a name of a password', () => {
  it.each([
    ...['password_shop = "§"', 'password_root: §', 'PASSWORD_MAIL=§', 'passwort_ftp: §', 'senha_email = "§"'],
    ...['kennwort_wlan = "§"', 'parola_root: §', 'wachtwoord_nas = "§"', 'heslo_admin: §', 'hasło_ftp = "§"'],
    ...['lösenord_root: §', 'contraseña_ftp = "§"', 'contrasena_db: §', 'mot_de_passe_ftp: §'],
    ...['{"passwordConfirm": "§"}', '{"passwordRepeat":"§"}', 'password_confirmation=§', 'passwdAgain = "§"'],
    ...["mailpass = '§'", "$SET->sqlpass = '§';", '--mailpass=§', 'psw=§', 'PSWD=§', 'FTP_PSWD=§'],
    ...['pass_phrase=§', 'pass_word: "§"', '<keyMaterial>§</keyMaterial>', 'Zaporka: §'],
  ])('may have a word before or behind it: %s', (text) => isRedacted(text, password))

  it.each([
    'password_file = "Kuchen1988"',
    'password_reset_url: /reset/Kuchen1988',
    'bypass = "Kuchen1988"',
    'compass: Kuchen1988',
    'passwordConfirmed = true1',
  ])('is told from other names: %s', stays)
})

describe('a default', () => {
  it.each([
    ...["ENV.fetch('SMTP_PASSWORD') { '§' }", 'ENV.fetch("SMTP_PASSWORD") { "§" }'],
    ...['System.get_env("SMTP_PASSWORD") || "§"', 'os.environ.get("SMTP_PASSWORD") or "§"'],
    ...['env::var("SMTP_PASSWORD").unwrap_or("§".into())', 'System.getenv("SMTP_PASSWORD") ?: "§"'],
    ...['env::var("SMTP_PASSWORD").unwrap_or_else(|_| "§".to_string())', 'passwd = passwd or "§"'],
    ...['this.password = password || "§"', 'ENV["SMTP_PASSWORD"] ||= "§"', 'getEnv("SMTP_PASSWORD", "§")'],
    ...['Optional.ofNullable(password).orElse("§")', "$password = $_ENV['DB_PASSWORD'] ?: '§';"],
  ])('is redacted: %s', (text) => isRedacted(text, password))
})

describe('an assignment of a language', () => {
  it.each([
    ...[
      'passwd <- "§"',
      'NSString *password = @"§";',
      '(setq mail-password "§")',
      'set_var("DB_PASSWORD", "§")',
    ],
    ...['window.__PASSWORD__ = "§"', 'std::string password("§");', 'request.Headers.Add("X-Password", "§")'],
    ...['QString password = QStringLiteral("§");', 'PASSWORD ?= §', 'user_pref("mail.password", "§")'],
    ...["storePassword '§'; keyAlias 'shop'", 'Pass "§"', 'setPassword("§")', "form.append('password', '§')"],
    ...['Driver={MySQL};Server=db;UID=app;PWD={§};', 'jdbc:sqlserver://db.test;user=app;password={§};'],
    ...['password=[§]', 'password: !!str §', 'password: !!str "§"'],
  ])('is redacted: %s', (text) => isRedacted(text, password))

  it.each([
    'vncx11 -passwd §',
    'dsadd user "CN=b" -pwd §',
    'tool -password "§" -v',
    'tool -pw §',
    'New-Thing -Password "§"',
    'tool -passphrase §',
  ])('may be an option with one dash: %s', (text) => isRedacted(text, password))

  it.each([
    '<Login password={state.field1} />',
    'openssl enc -pass file:secret.txt',
    'passwords <- read.csv("users1.csv")',
    'password: !Ref DbPassword1',
    'DB_PASSWORD=[password]',
    '("password", "email2")',
    'token or "github"',
  ])('is told from other code: %s', stays)
})

describe('markup and dumps', () => {
  it.each([
    ...['<b>Password:</b> §', 'Password: <b>§</b>', '<strong>Password</strong>: §', '__Password:__ §'],
    ...['<dt>Passwort</dt>\n  <dd>§</dd>', '_Password:_ §', '*Password:* §', '<th>Password</th>\n<td>§</td>'],
    ...[
      'Content-Disposition: form-data; name="password"\r\n\r\n§\r\n--x',
      '<meta name="db-password" content="§">',
    ],
    ...[
      '<Password><Value>§</Value></Password>',
      '<AdministratorPassword>\n <Value>§</Value>\n</AdministratorPassword>',
    ],
    `<wsse:Password Type="http://docs.shop.test/${'wss/2011/02/'.repeat(8)}profile-1.2#Text">§</wsse:Password>`,
  ])('are around a password: %#', (text) => isRedacted(text, password))

  it.each([
    ...['["password"]=> string(15) "§"', '["password"]=>\n  string(15) "§"\n', 's:8:"password";s:15:"§";'],
    ...["('password', '§')", '["password", "§"]', "new Map([['password', '§']])"],
  ])('show a password: %s', (text) => isRedacted(text, password))
})

describe('an argument whose position says that it is a secret', () => {
  it.each([
    ...[
      'pymysql.connect("h", "bob", "§")',
      'MySQLdb.connect("h","bob","§","shop")',
      'WiFi.begin("home", "§")',
    ],
    ...["jwt.sign({ id: 'x' }, '§')", "createHmac('sha1', '§')", 'bcrypt.hashSync("§", 9)', 'Fernet("§")'],
    ...["bcrypt.compare('§', hash)", "password_hash('§', PASSWORD_BCRYPT)", 'pdf.encrypt("§")'],
    ...['HTTPBasicAuth(user, "§")', 'new NetworkCredential(user, "§")', "hash_hmac('md5', $m, '§')"],
    ...['smtp.PlainAuth("", "bob", "§", "h")', 'make_password("§")', "cookieParser('§')"],
  ])('is redacted: %s', (text) => isRedacted(text, password))

  it.each([
    "createHmac('sha256', secret)",
    'bcrypt.hash(password, 10)',
    "createHmac('sha256', 'secret')",
    'jwt.verify(token, publicKey, { algorithms: ["RS256"] })',
  ])('is told from variables: %s', stays)
})

describe('a command', () => {
  it.each([
    ...['htpasswd -b -c users ann §', 'htpasswd -c -b users ann §', 'htpasswd -B -b users ann §'],
    ...['htpasswd -bB -C 12 users ann §', 'htpasswd -C 12 -b -B users ann §', 'htpasswd -n -b ann §'],
    ...['htpasswd -b -n -B ann §', 'htpasswd -Bbc users ann §', 'htpasswd -nbB ann § >> users'],
    ...['rootpw --plaintext §', 'rootpw --plaintext "§"', 'mosquitto_passwd -b f ann §'],
    ...[
      'isql -U ann -P § -S h',
      'mycli -u ann -p §',
      'poetry publish -u ann -p §',
      'rabbitmqadmin -u ann -p § list',
    ],
    ...['echo "§" | sudo --stdin ls', 'send "§\\r"', 'rpcclient -U "ann%§" h', 'bw unlock §'],
    ...['networksetup -setairportnetwork en0 home §', 'pdftk a.pdf input_pw § output b.pdf'],
    ...['snmpget -v2c -c § h sysName', 'dscl . -passwd /Users/ann §', "PRAGMA key = '§';"],
    ...['ann:§@10.0.0.9', 'ssh root:§@192.168.0.9'],
  ])('loses its password: %s', (text) => isRedacted(text, password))

  it.each([
    ...[
      'enable secret §',
      'username ann privilege 15 secret 0 §',
      'username ann secret §',
      'enable password 7 §',
    ],
    ...['snmp-server community § RO', 'crypto isakmp key § address 10.0.0.9', ' key-string §'],
    ...["option key '§'", "uci set wireless.@wifi-iface[0].key='§'", 'tacacs-server key §'],
  ])('of a router loses it: %s', (text) => isRedacted(text, password))

  it.each([
    'rootpw --lock',
    'rootpw --iscrypted',
    'htpasswd -D users ann',
    'snmpwalk -v2c -c public h',
    'enable password encryption',
    'npm:string-width2@10.2.3',
    'send "hello1\\n"',
  ])('without one stays: %s', stays)
})

describe('a seed of codes, and an address of a hook', () => {
  it('are redacted', () => {
    const seed = draw(random, 'base32', 32)
    isRedacted('oathtool --totp -b §', seed)
    isRedacted('pyotp.TOTP("§").now()', seed)
    const id = '5a1c9e07-3b2d-4f68-9c0e-7d1b2a3f4e5c'
    const hook = `https://outlook.office.com/webhook/${id}@${id}/IncomingWebhook/${hexKey.slice(0, 32)}/${id}`
    expect(redact(hook)).not.toContain(hexKey.slice(0, 8))
  })
})

describe('what only looks like a secret', () => {
  const capitals = hexKey.toUpperCase()
  it.each([
    `gpg:                using RSA key ${capitals}`,
    `gpg --recv-keys ${capitals}`,
    `gpg --recv-key ${capitals.slice(-16)}`,
    `signing key: ${capitals.slice(-16)}`,
    `gpg: key ${capitals.slice(-16)}: public key "Ann" imported`,
    `gpg --delete-secret-key ${capitals}`,
    `user.signingkey ${capitals.slice(-16)}`,
    ...['GPIO PIN 1274 is not valid', 'render pass: Shadow_02', 'pass: DepthPass4096'],
    ...['password policy: Min9-Upper1-Digit2', 'PIN code 560034 Bengaluru', 'Pass 128301 of 256900'],
    '{"city":"Pune","pin_code":"411014"}',
  ])('stays: %s', stays)

  it('is redacted if a word before it says so', () => {
    isRedacted('api key: §', capitals)
    isRedacted('pass: §', password)
    isRedacted('db pass: §', password)
  })
})

describe('a PIN', () => {
  it.each([
    ...['PIN_CODE="§"', '"pin_code": "§"', "'pin': '§'", "'pin' => '§'", 'ykman x --new-pin §'],
    ...["{'pin': '§'}", 'pin_code: "§"'],
  ])('may be in any quotes: %s', (text) => isRedacted(text, '904617'))
})
