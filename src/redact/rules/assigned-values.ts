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
  nested,
  paired,
  parted,
  quotedValue,
  restOfElement,
  restOfLine,
  stated,
  typed,
} from './values.ts'

/**
 * `TOKEN_2`, `SECRET_KEY_BASE` and `PASSWORD_PROD` are names of secrets; `token_count` and `password_hash`
 * are not.
 */
const suffix = String.raw`(?:[_-]?(?:key|base|value|prod|production|staging|dev|live|old|new|v?\d{1,2})){0,2}`
const value = `(?:${quotedValue}|${bareValue})`
/**
 * The first characters of a suffix, an operator, or anything else between a name and its value, except for
 * `staging`.
 */
const afterName = /[\s\d\\"'`\]\x1b*:=,;|><_bdklnopv&%/[-]/i

/** Longer values are data. */
const LONGEST = 4096

export type Judge = (value: string, match: RegExpExecArray) => boolean

interface Named {
  kind: string
  names: readonly (string | Trigger)[]
  /** The pattern of the names. */
  name: string
  /** Judges assigned values, */
  judge: Judge
  /** values in prose and tables, */
  closer: Judge
  /** and the rest of a line. Absent if such values contain no characters that end other values. */
  line?: Judge
}

/**
 * Rules for `name = value` in its many forms: environment, JSON, YAML, source code, query, command-line
 * option, name-value pairs, prose and tables.
 */
export function assignmentRules({ kind, names, name, judge, closer, line }: Named): Rule[] {
  const triggers = names.map(triggerOf).flatMap((each): Trigger[] =>
    each.behind || /\W$|[_\d]$/.test(each.literal)
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
    rule([assigned, paired, listed, nested, parted, defined, enclosed].join('|'), value, noCode(judge)),
    rule([stated, typed, aligned].join('|'), value, noCode(closer)),
    ...(line ? [rule(`${assigned}|${aligned}`, restOfLine, line), rule(listed, restOfElement, judge)] : []),
  ]
}
