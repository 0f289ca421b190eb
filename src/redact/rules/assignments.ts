import { isAmazonSecret, isAssignedKey, isAssignedPassword, isStatedKey, isStatedPassword } from '../judge.ts'
import { combinations, type Rule } from '../rule.ts'
import { type Trigger, triggerOf } from '../trigger.ts'
import { assigned, bareValue, enclosed, paired, parted, quotedValue, stated } from './values.ts'

/** `TOKEN_2`, `SECRET_KEY_BASE`, `PASSWORD_PROD` name the same thing; `token_count` and `password_hash` do not. */
const suffix = String.raw`(?:[_-]?(?:key|base|value|prod|production|staging|dev|live|old|new|v?\d{1,2})){0,2}`
const value = `(?:${quotedValue}|${bareValue})`
/** What a suffix, a sign, or what else may stand between a name and its value begins with, but for `staging`. */
const afterName = /[\s\d\\"'`\]\x1b*:=,;|>_bdklnopv-]/i

type Judge = (value: string, quoted: boolean) => boolean

/**
 * Rules for `name = value` in its many spellings: environment, JSON, YAML, source code, query, command line flag, pairs of
 * name and value; and for what prose and tables say.
 */
function assignmentRules(
  kind: string,
  names: readonly (string | Trigger)[],
  name: string,
  [judge, closer]: readonly [Judge, Judge],
): Rule[] {
  const triggers = names.map(triggerOf).flatMap((each): Trigger[] =>
    each.behind
      ? [each]
      : [
          { ...each, behind: { kind: afterName, count: 1 } },
          { ...each, literal: `${each.literal}st` },
        ],
  )
  const rule = (between: string, by: Judge): Rule => ({
    kind,
    triggers,
    anyCase: true,
    pattern: new RegExp(`(?:${name})${suffix}(?:${between})${value}`, 'iy'),
    judge: (secret, match) => by(secret, match.groups?.quote !== undefined),
  })
  return [rule([assigned, paired, parted, enclosed].join('|'), judge), rule(stated, closer)]
}

/** A marker of a page or of the next batch is called a token, and opens nothing. */
const notPaging = '(?<!(?:page|next|continuation|stop|sync)[_-]?)'
const keyOwners =
  '(?:access|secret|private|auth|encryption|signing|master|account|service|service[_-]role|app|license|admin|deploy|registry)'
/** Whose key it is stands before it. */
const ownedKey: Trigger = { literal: 'key', before: /[a-z_-]/i }
const spanish: Trigger = { literal: 'contrase', behind: { kind: /[n\\]/i, count: 1 } }
const inOtherTongues = 'passwort|kennwort|wachtwoord|contrase(?:ñ|n|\\\\{1,16}u00f1)a|senha|mot de passe'

const passwords = [isAssignedPassword, isStatedPassword] as const
const keys = [isAssignedKey, isStatedKey] as const

/** Values assigned to a name that announces a secret. Only the value goes, the name stays. */
export const assignments: readonly Rule[] = [
  ...assignmentRules(
    'password',
    [...combinations(['pass'], ['', 'word', 'wd', 'phrase']), 'pwd'],
    'pass(?:word|wd|phrase)|pwd|(?<![A-Za-z])pass',
    passwords,
  ),
  ...assignmentRules(
    'password',
    ['passwort', 'kennwort', 'wachtwoord', spanish, 'senha', 'mot de passe'],
    inOtherTongues,
    passwords,
  ),
  {
    kind: 'password',
    triggers: combinations(['密码', '密碼'], [':', '：', '是', '为', '為', ' ']).concat(
      'パスワード',
      'пароль',
    ),
    anyCase: true,
    pattern:
      /(?:密[码碼]|パスワード|пароль)(?:是|为|為|は)?[ \t]?[:：=]?[ \t]?(?:\\{0,16}["'`])?([\x21\x23-\x26\x28-\x5b\x5d-\x5f\x61-\x7e]{6,128})/iy,
    judge: (secret) => isStatedPassword(secret, false),
  },
  ...assignmentRules('aws-secret-key', [ownedKey], '(?<=secret[_-]?access[_-]?)key', [
    isAmazonSecret,
    isStatedKey,
  ]),
  ...assignmentRules('api-key', [ownedKey], '(?<=api[_-]?)key', keys),
  ...assignmentRules('key', [ownedKey], `(?<=${keyOwners}[_-]?)key|(?<=client-)key-data`, keys),
  ...assignmentRules('secret', ['secret'], 'secret', keys),
  ...assignmentRules('token', ['token'], `${notPaging}token`, keys),
  ...assignmentRules('credential', ['credential', 'credentials'], 'credentials?', keys),
  ...assignmentRules('credential', ['_auth', '"auth'], '_auth|"auth(?=\\\\{0,16}")', keys),
]
