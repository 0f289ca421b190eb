import { isAssignedKey, isAssignedPassword, isStatedKey, isTreatment } from '../judge.ts'
import { combinations, givenRange, passwordRules, type Rule } from '../rule.ts'
import { textBefore } from './pattern-parts.ts'
import type { Cell } from './table-lines.ts'

/** Secrets as arguments of calls, in lists and in settings whose names do not say it. */

const text = String.raw`(?:"[^"\r\n]{0,200}"|'[^'\r\n]{0,200}'|[\w$.]{1,60})`
const quoted = String.raw`\\{0,16}["']([^\s"'\\]{5,256})(?=\\{0,16}["'])`

const next = String.raw`${text},\s{0,4}`

/** A name as a pattern: what precedes `~` is looked at from there. */
function searched(name: string): string {
  const [first = '', behind] = name.replace(/[.(]/g, '\\$&').split('~')
  return behind === undefined ? first : `(?<=${first})${behind}`
}

/**
 * Functions that take a secret as one of their arguments, and the arguments before it. Each is searched
 * behind `~`, where its letters are rare.
 */
const positions = [
  {
    names:
      'bcrypt.hash(|bcrypt.hashSync(|bcrypt.compare(|bcrypt.compareSync(|bcrypt.hashpw(|bcrypt.checkpw(|' +
      'passwor~d_hash(|password_verify(|ar~gon2.hash(|pdf.encrypt(|scry~ptSync(|pbkdf2Sync(|cookieParser(|Fernet(|' +
      'hmac.new(|Wallet(|privateKey~ToAccount(|Account.from_key(',
    before: '',
  },
  {
    names:
      'create~Hmac(|CryptoJS.AES.encrypt(|CryptoJS.AES.decrypt(|check_passwor~d_hash(|HTTPBasicAuth(|' +
      'NetworkCredential(|PasswordAuthentication(|WiFi.begin(|wifi.connect(|wlan.connect(|Oracle.connect(|oracledb.connect(',
    before: next,
  },
  {
    // A server or an address, and an account.
    names:
      'new ~PDO(|ge~tConnection(|create_superuser(|create_user(|pymysql.connect(|MySQLdb.connect(|has~h_hmac(|' +
      'open~ssl_encrypt(|PlainAuth(',
    before: next + next,
  },
  {
    names: 'jwt.sign(|jwt.encode(|jwt.verify(|jwt.decode(',
    before: String.raw`(?:[^"'\r\n]{1,160}|\{[^}\r\n]{1,160}\}), {0,2}`,
  },
  // The id of an account of Twilio.
  { names: 'Client(', before: String.raw`["']AC[0-9a-f]{32}["'],\s{0,4}` },
  { names: 'cookieSession(', before: String.raw`\{[^}]{0,120}?keys: ?\[ ?` },
].map(({ names, before }) => ({ names: names.split('|'), before }))

/** What hashes a password is named, too: in Ansible, the password precedes the call. */
const isQuotedSecret = (secret: string): boolean =>
  !isTreatment(secret) && (isAssignedPassword(secret, 'quoted') || isAssignedKey(secret, true))

const listed = /(?<=")[^\s"\\]{4,256}(?=\\{0,16}")/g

export const calls: readonly Rule[] = passwordRules([
  {
    triggers: positions.flatMap(({ names }) => names.map((each) => each.split('~').at(-1)!)),
    pattern: new RegExp(
      positions
        .map(
          ({ names, before }) =>
            String.raw`(?:${names.map(searched).join('|')})\s{0,4}${before}(?:\w{1,16} ?[=:] ?|b(?=["']))?${quoted}`,
        )
        .join('|'),
      'y',
    ),
    judge: isQuotedSecret,
  },
  {
    triggers: combinations(['passwords'], ['"', '\\']),
    anyCase: true,
    pattern: /passwords\\{0,16}"\s{0,4}:\s{0,4}\[(?:\s{0,20}\\{0,16}"[^"\\\r\n]{0,256}\\{0,16}",?){1,200}/iy,
    judge: () => true,
    ranges: ({ 0: match, index }) => {
      const from = match.indexOf('[')
      return Array.from(match.slice(from).matchAll(listed)).flatMap(({ 0: secret, index: at }): Cell[] => {
        const start = index + from + at
        return isAssignedPassword(secret, 'quoted') ? [{ start, end: start + secret.length }] : []
      })
    },
  },
  {
    // A filter of a template: `{{ '…' | password_hash('sha512') }}`.
    triggers: ['| password_hash', '|password_hash'],
    pattern: /\|(?<=["'](?<given>[^\s"'\\]{5,256})\\{0,16}["'] {0,2}\|) ?password_hash/y,
    judge: (_, { groups }) => isQuotedSecret(groups!.given!),
    ranges: givenRange,
  },
  {
    // A plan of Terraform shows the old value and the new one.
    triggers: ['-> "', '-> \\'],
    pattern:
      /-> \\{0,16}"(?<=(?:pass(?:word|wd|phrase)?|pwd|secret|token|key|credentials?)\w{0,20} {0,40}= \\{0,16}"[^"\r\n]{0,256}\\{0,16}" -> \\{0,16}")([^\s"\\]{6,256})(?=\\{0,16}")/iy,
    judge: (secret, { input, index }) =>
      /pass|pwd/i.test(
        textBefore(input, index, 400)
          .split(/[\r\n]/)
          .at(-1)!,
      )
        ? isAssignedPassword(secret, 'quoted')
        : isStatedKey(secret, true),
  },
  {
    // The page of a proxy with its statistics.
    triggers: ['ats auth '],
    pattern: /(?<=st)ats auth [\w.-]{1,64}:([^\s"'\\]{5,128})(?=[\s"'\\]|$)/y,
    judge: (secret) => isAssignedPassword(secret, 'quoted'),
  },
])
