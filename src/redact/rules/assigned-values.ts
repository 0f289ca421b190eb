import type { Rule } from '../rule.ts'
import { type Trigger, triggerOf } from '../trigger.ts'
import {
  aligned,
  assigned,
  bareValue,
  defined,
  enclosed,
  isCode,
  listed,
  paired,
  parted,
  quotedValue,
  restOfElement,
  restOfLine,
  stated,
} from './values.ts'

/** `TOKEN_2`, `SECRET_KEY_BASE`, `PASSWORD_PROD` name the same thing; `token_count` and `password_hash` do not. */
const suffix = String.raw`(?:[_-]?(?:key|base|value|prod|production|staging|dev|live|old|new|v?\d{1,2})){0,2}`
const value = `(?:${quotedValue}|${bareValue})`
/** What a suffix, a sign, or what else may stand between a name and its value begins with, but for `staging`. */
const afterName = /[\s\d\\"'`\]\x1b*:=,;|><_bdklnopv-]/i

/** Longer ones are no values but data. */
const LONGEST = 4096

export type Judge = (value: string, match: RegExpExecArray) => boolean

interface Named {
  kind: string
  names: readonly (string | Trigger)[]
  /** The pattern of the names. */
  name: string
  /** Of what is assigned, */
  judge: Judge
  /** of what prose and tables state, */
  closer: Judge
  /** and of what is the rest of a line; absent where such values hold no signs that end others. */
  line?: Judge
}

/**
 * Rules for `name = value` in its many spellings: environment, JSON, YAML, source code, query, command line flag, pairs of
 * name and value; and for what prose and tables say.
 */
export function assignmentRules({ kind, names, name, judge, closer, line }: Named): Rule[] {
  const triggers = names.map(triggerOf).flatMap((each): Trigger[] =>
    each.behind
      ? [each]
      : [
          { ...each, behind: { kind: afterName, count: 1 } },
          { ...each, literal: `${each.literal}st` },
        ],
  )
  const rule = (between: string, what: string, by: Judge): Rule => ({
    kind,
    triggers,
    anyCase: true,
    pattern: new RegExp(`(?:${name})${suffix}(?:${between})${what}`, 'iy'),
    judge: (secret, match) => secret.length <= LONGEST && by(secret, match),
  })
  const noCode =
    (by: Judge): Judge =>
    (secret, match) =>
      !isCode(match) && by(secret, match)
  return [
    rule([assigned, paired, listed, parted, defined, enclosed].join('|'), value, noCode(judge)),
    rule([stated, aligned].join('|'), value, noCode(closer)),
    ...(line ? [rule(`${assigned}|${aligned}`, restOfLine, line), rule(listed, restOfElement, judge)] : []),
  ]
}
