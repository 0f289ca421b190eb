import type { CitedRecord, Material } from './material.ts'

/** What is counted, by the words for it in the languages that the rules know. */
const UNITS = {
  session: /^(?:sessions?|sitzung(?:en)?|sesi(?:ó|o)n(?:es)?|セッション|会话|次会话)/iu,
  turn: /^(?:turns?|prompts?|runden?|turnos?|ターン|轮)/iu,
  file: /^(?:files?|dateien?|archivos?|ficheros?|ファイル|个文件|文件)/iu,
  edit: /^(?:edits?|changes?|änderungen|ediciones|cambios|次修改)/iu,
  error: /^(?:errors?|failures?|fehler|errores|エラー|个错误|错误)/iu,
  call: /^(?:tool calls?|calls?|werkzeugaufrufe?|aufrufe?|llamadas?|ツール|次调用)/iu,
  word: /^(?:words?|wörter|worte|palabras?|語|个词)/iu,
  commit: /^(?:commits?)/iu,
  test: /^(?:runs? of (?:the )?tests|test runs?|testläufe?|runs?)/iu,
  item: /^(?:items?|einträge)/iu,
  attempt: /^(?:attempts?|tries|versuche?|intentos?|次尝试)/iu,
  round: /^(?:rounds?|durchgänge?|rondas?)/iu,
  minute: /^(?:minutes?|minuten?|minutos?|分)/iu,
  duplicate: /^(?:duplicates?|duplikate?|duplicados?)/iu,
  phase: /^(?:phases?|phasen?|fases?)/iu,
} as const

export type Unit = keyof typeof UNITS

/** A count that the evidence contains. */
export interface Figure {
  unit: Unit
  value: number
}

export const unitOf = (words: string): Unit | undefined =>
  (Object.keys(UNITS) as Unit[]).find((unit) => UNITS[unit].test(words))

/** The counts over everything, which need no citation. */
export function totalFigures({ evidence }: Material): Figure[] {
  const { coverage, totals, sessions, phases, files, commits, tests, errors } = evidence
  const main = sessions.filter((session) => session.main).length
  return [
    ...figures('session', main, sessions.length, sessions.length - main),
    ...figures('session', coverage.sessions.used, coverage.sessions.fitting, coverage.sessions.seen),
    ...figures('item', coverage.items.read, coverage.items.there),
    ...figures('duplicate', coverage.duplicates),
    ...figures('turn', totals.turns),
    ...figures('word', totals.words.human, totals.words.agent, totals.words.program),
    ...figures('call', totals.toolCalls),
    ...figures(
      'error',
      totals.errors,
      errors.length,
      errors.filter(({ ending }) => ending === 'fixed').length,
    ),
    ...figures('file', files.length, files.filter(({ status }) => status === 'created').length),
    ...figures('commit', commits.length),
    ...figures('test', tests.length, tests.filter(({ outcome }) => outcome === 'failed').length),
    ...figures('phase', phases.length),
    ...evidence.commands.flatMap(({ kind, count, failed }) =>
      kind === 'test' ? figures('test', count, failed) : [],
    ),
  ]
}

/** The counts about the cited records: their phase, session, error, dynamic, and the named files. */
export function citedFigures(
  { evidence }: Material,
  records: readonly CitedRecord[],
  paths: readonly string[],
): Figure[] {
  const isCited = ({ path, line }: { path: string; line: number }): boolean =>
    records.some(({ citation }) => citation.path === path && citation.line === line)
  return [
    ...records.flatMap(({ phases, session }) => [
      ...phases.flatMap(({ turns, changedFiles, errors, sessions }) => [
        ...figures('turn', turns),
        ...figures('file', changedFiles),
        ...figures('error', errors),
        ...figures('session', sessions.length),
      ]),
      ...(session
        ? [
            ...figures('turn', session.turns),
            ...figures('call', session.toolCalls),
            ...figures('error', session.errors),
          ]
        : []),
    ]),
    ...evidence.errors.flatMap(({ error, times }) =>
      isCited(error) ? [...figures('error', times), ...figures('attempt', times)] : [],
    ),
    ...evidence.dynamics.flatMap(({ detail, citations }) =>
      detail !== null && citations.some(isCited) ? detailFigures(detail) : [],
    ),
    ...evidence.themes.flatMap(({ sessions, citations }) =>
      citations.some(isCited) ? figures('session', sessions) : [],
    ),
    ...evidence.files.flatMap(({ path, edits, sessions, askedBy }) =>
      paths.some((each) => path.endsWith(each))
        ? [...figures('edit', edits, askedBy.human, askedBy.program), ...figures('session', sessions.length)]
        : [],
    ),
  ]
}

const figures = (unit: Unit, ...values: number[]): Figure[] => values.map((value) => ({ unit, value }))

/** `3 attempts, then it worked`, `24 tool calls in 7 minutes`. */
function detailFigures(detail: string): Figure[] {
  return [...detail.matchAll(/(\d+) ([a-z ]+)/g)].flatMap(([, value, words]) => {
    const unit = unitOf(words!)
    return unit === undefined ? [] : figures(unit, Number(value))
  })
}
