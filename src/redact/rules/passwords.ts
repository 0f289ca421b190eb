import { formOf, isAssignedPassword, isStatedPassword } from '../password-judge.ts'
import { combinations, type Rule } from '../rule.ts'
import type { Trigger } from '../trigger.ts'
import { assignmentRules, type Judge } from './assigned-values.ts'

/** `DBPASS` and `smtpPass` are names of passwords; `bypass` and `Compass` are not. */
function isPassName({ input, index, 0: match }: RegExpExecArray): boolean {
  const before = input[index - 1] ?? ''
  if (/^pw(?!d)/i.test(match)) return !/[A-Za-z]/.test(before) || (/^Pw/.test(match) && /[a-z]/.test(before))
  if (!/[A-Za-z]/.test(before) || !/^pass(?![a-z])/i.test(match)) return true
  if (/^P[^A-Z]/.test(match)) return /[a-z]/.test(before)
  return (
    /^PASS/.test(match) && !/(?:BY|COM|TRES|SUR|OVER|UNDER)$/.test(input.slice(Math.max(0, index - 5), index))
  )
}

/** A name in capitals belongs to an environment variable. */
const isShouted = ({ input, index, 0: match }: RegExpExecArray): boolean =>
  /^[A-Z][A-Z0-9_]*/.test(match) && !/[a-z]$/.test(input.slice(Math.max(0, index - 1), index))

const judge: Judge = (value, match) =>
  isPassName(match) && isAssignedPassword(value, formOf(match), isShouted(match))
const closer: Judge = (value, match) => isPassName(match) && isStatedPassword(value, formOf(match))
const line: Judge = (value, match) => formOf(match) === 'line' && judge(value, match)

const spanish: Trigger = { literal: 'contrase', behind: { kind: /[n\\]/i, count: 1 } }
/**
 * German, Dutch, Spanish, Portuguese, French, Italian, Norwegian, Danish, Swedish, Finnish, Czech, Polish,
 * Hungarian, Turkish.
 */
const translated = [
  ...[
    'passwort',
    'kennwort',
    'wachtwoord',
    'senha',
    'palavra-passe',
    'mot de passe',
    'mot_de_passe',
    'motdepasse',
  ],
  ...[
    'parola',
    'passord',
    'adgangskode',
    'kodeord',
    'lösenord',
    'salasana',
    'heslo',
    'hasło',
    'jelszó',
    'şifre',
  ],
]
/** Chinese, Japanese, Korean, Russian, Greek, Hebrew, Arabic: the name needs no word boundary. */
const unspaced = [
  ...combinations(['密码', '密碼', '口令'], [':', '：', '是', '为', '為', ' ', '=', '"', '\\']),
  ...['パスワード', '暗証番号', '비밀번호', 'пароль', 'κωδικός', 'סיסמה', 'كلمة المرور'],
]

/** Names of two and three letters, with what follows them: a trigger has at least three. */
const short = combinations(['pw', 'psk'], [' ', '\t', '"', "'", '`', '\\', ':', '=', '|', '_', '&', '%', '-'])

/** Passwords, under any name and in any supported language. */
export const passwords: readonly Rule[] = [
  ...assignmentRules({
    kind: 'password',
    names: [...combinations(['pass'], ['', 'word', 'wd', 'phrase', 'code']), 'pwd', 'mdp', ...short],
    name: 'pass(?:word|wd|phrase|code)?|pwd|(?<![A-Za-z])(?:mdp|psk)|pw',
    ...{ judge, closer, line },
  }),
  ...assignmentRules({
    kind: 'password',
    names: [...translated, spanish],
    name: `${translated.join('|')}|contrase(?:ñ|n|\\\\{1,16}u00f1)a`,
    ...{ judge, closer, line },
  }),
  {
    kind: 'password',
    triggers: unspaced,
    anyCase: true,
    pattern:
      /(?:(?:密[码碼]|口令)(?=[:：是为為 ="\\])|パスワード|暗証番号|비밀번호|пароль|κωδικός|סיסמה|كلمة المرور)(?:是|为|為|は|는|은)?(?:\\{0,16}["'`])?[ \t]?[:：=|]?[ \t]?(?:\\{0,16}["'`])?([\x21\x23-\x26\x28-\x5b\x5d-\x5f\x61-\x7e]{6,128})/iy,
    judge: (secret, [match]) =>
      /["'`]/.test(match.at(-secret.length - 1)!)
        ? isAssignedPassword(secret, 'quoted')
        : isStatedPassword(secret, 'code'),
  },
]
