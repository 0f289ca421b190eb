import type { CitedRecord } from '../../src/devlog/facts/material.ts'
import type { ProjectCase } from './stories.ts'

/** A sentence that says something else than the record it cites. */
export interface Lie {
  kind: string
  text: string
}

type Change = (sentence: string, project: ProjectCase, turn: number) => string | undefined

const REF = /\[\^(\d+)\]/
const QUOTE = /“([^”]+)”/

const recordIn = (sentence: string, { material }: ProjectCase): CitedRecord | undefined =>
  material.records.get(Number(REF.exec(sentence)?.[1]))

/** Words outside of quotes, code and footnote marks. */
const outside = (sentence: string, change: (words: string) => string): string =>
  sentence
    .split(/(“[^”]*”|„[^“]*“|「[^」]*」|«[^»]*»|`[^`]*`|\[\^\d+\])/)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join('')

const changed = (sentence: string, other: string): string | undefined =>
  other === sentence ? undefined : other

/** Replaces the first match outside of quotes. */
function swap(sentence: string, pattern: RegExp, by: (found: string) => string): string | undefined {
  let done = false
  return changed(
    sentence,
    outside(sentence, (words) =>
      words.replace(pattern, (found) => {
        if (done) return found
        done = true
        return by(found)
      }),
    ),
  )
}

const pick = <Value>(values: readonly Value[], turn: number): Value => values[turn % values.length]!

const OTHER_WORDS = ['seven', 'eleven', 'nineteen', 'seventy']
const OTHER_NAMES = ['Redis', 'MongoDB', 'Kubernetes', 'Anna', 'Berlin', 'Stripe']
const OTHER_COMMANDS = ['rm -rf data', 'npm run deploy', 'git push --force', 'curl -s https://x.example/i.sh']

const CHANGES: Readonly<Record<string, Change>> = {
  number: (sentence, _, turn) =>
    swap(
      sentence,
      /(?<![\d.,:-])\d+(?:[.,]\d+)*(?![\d:-])(?!\. (?:Okt|Sep|Nov)|月|日| de | (?:Sept|Octo|Nov))/,
      (found) => String(Number(found.replace(/[.,]/g, '')) * 2 + 3 + (turn % 5)),
    ),
  'number word': (sentence, _, turn) =>
    swap(sentence, /\b(?:two|three|four|six|nine|twelve)\b/i, () => pick(OTHER_WORDS, turn)),
  'invented quote': (sentence, _, turn) =>
    QUOTE.test(sentence)
      ? sentence.replace(
          QUOTE,
          `“${pick(['Ship it without tests.', 'I trust you completely.', 'Delete everything and begin again.'], turn)}”`,
        )
      : undefined,
  'edited quote': (sentence, _, turn) => {
    const words = QUOTE.exec(sentence)?.[1]?.split(' ')
    if (!words || words.length < 3) return undefined
    words[1 + (turn % (words.length - 1))] = pick(['always', 'gladly', 'tomorrow'], turn)
    return sentence.replace(QUOTE, `“${words.join(' ')}”`)
  },
  'cut quote': (sentence, project) => {
    const record = recordIn(sentence, project)
    const denied = /(?:not|never|No|Never|don't|must never|without|cannot) ([^.?!]{12,60}?)(?=[.?!,]|$)/.exec(
      record?.text ?? '',
    )
    if (!denied || !record) return undefined
    return `The words were “${denied[1]!.trim()}”[^${record.number}].`
  },
  'swapped footnote': (sentence, project, turn) => {
    const record = recordIn(sentence, project)
    const others = [...project.material.records.values()].filter(
      ({ citation, text }) => citation.session !== record?.citation.session && text.length > 30,
    )
    const pool =
      others.length > 0
        ? others
        : [...project.material.records.values()].filter(({ text }) => text !== record?.text)
    return record ? sentence.replace(/\[\^\d+\]/g, `[^${pick(pool, turn * 7).number}]`) : undefined
  },
  'swapped speaker': (sentence) =>
    swap(
      sentence,
      /\b(?:human|agent)\b(?=(?:'s)? (?:asked|said|wanted|proposed|disagreed|refused|agreed|wrote|accepted|began|stated|called|listed))/,
      (found) => (found === 'human' ? 'agent' : 'human'),
    ),
  file: (sentence, project, turn) => {
    const found = /`([\w./-]+\.(?:js|sql|sh|md|ts|json|py))`/.exec(sentence)
    if (!found) return undefined
    const others = project.evidence.files
      .map(({ path }) => path.split('/').slice(-2).join('/'))
      .filter((path) => !path.endsWith(found[1]!.split('/').at(-1)!))
    return others.length > 0 ? sentence.replace(found[1]!, pick(others, turn * 3)) : undefined
  },
  name: (sentence, _, turn) =>
    swap(sentence, /\b(?:Postgres|Fastify|ORM|SQL|CI)\b/, () => pick(OTHER_NAMES, turn)),
  date: (sentence, _, turn) =>
    swap(
      sentence,
      /\d{4}-\d\d-\d\d|\b\d{1,2}\.? (?:September|Oktober|October|November|de noviembre)|\b(?:September|October|November) \d{1,2}|\b\d\d:\d\d\b|\d+月\d+日/,
      (found) =>
        /^\d\d:/.test(found)
          ? `0${1 + (turn % 8)}:17`
          : found.replace(/\d+(?!.*\d)/, (day) =>
              String(((Number(day) + 3 + (turn % 5)) % 27) + 1).padStart(day.length, '0'),
            ),
    ),
  command: (sentence, _, turn) =>
    changed(
      sentence,
      sentence.replace(
        /`(?:npm|psql|git|node|Bash|bash|exec|curl|uv|python3?|cd)\b[^`]*`/,
        `\`${pick(OTHER_COMMANDS, turn)}\``,
      ),
    ),
  outcome: (sentence) =>
    swap(
      sentence,
      /\b(?:agreed|accepted|disagreed|refused|declined|passed|pass|failed)\b/,
      (found) =>
        ({
          agreed: 'disagreed',
          accepted: 'rejected',
          disagreed: 'agreed',
          refused: 'accepted',
          declined: 'agreed',
          passed: 'failed',
          pass: 'fail',
          failed: 'passed',
        })[found]!,
    ),
  generalized: (sentence, _, turn) => {
    const refs = new Set(Array.from(sentence.matchAll(/\[\^(\d+)\]/g), ([, n]) => n))
    if (refs.size > 2) return undefined
    return swap(
      sentence,
      /\b(?:was|wanted|asked|failed|agreed|said|has|had|proposed|disagreed)\b/,
      (found) => `${pick(['always', 'usually', 'repeatedly', 'every time'], turn)} ${found}`,
    )
  },
  'no citation': (sentence) => changed(sentence, sentence.replace(/\[\^\d+\]/g, '')),
  denied: (sentence) =>
    REF.test(sentence)
      ? swap(sentence, /\b(?:was|were|is|are|has|had)\b(?! not)/, (found) => `${found} not`)
      : undefined,
}

/** All lies that can be made from the sentences of an honest text. */
export function liesAbout(sentences: readonly string[], project: ProjectCase): Lie[] {
  return Object.entries(CHANGES).flatMap(([kind, change]) =>
    sentences.flatMap((sentence, turn) => {
      const text = change(sentence, project, turn)
      return text === undefined || text === sentence ? [] : [{ kind, text }]
    }),
  )
}
