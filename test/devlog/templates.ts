import type { Citation } from '../../src/devlog/evidence/evidence.ts'
import { sentencesOf } from '../../src/devlog/evidence/sentences.ts'
import type { ProjectCase } from './stories.ts'

/** Honest sentences about any evidence, for stories that nobody wrote by hand. */
export function templateSentences({ evidence, material }: ProjectCase): string[] {
  const numbers = new Map(
    [...material.records.values()].map(({ number, citation }) => [
      `${citation.path}:${citation.line}:${citation.digest}`,
      number,
    ]),
  )
  const mark = ({ path, line, digest }: Citation): string => `[^${numbers.get(`${path}:${line}:${digest}`)}]`
  const first = (citation: Citation): string | undefined => {
    const record = material.records.get(numbers.get(`${citation.path}:${citation.line}:${citation.digest}`)!)
    const sentence = sentencesOf(record?.text).find((each) => each.length > 20 && each.length < 200)
    return sentence && !/[“”"«»「」`*[\]|]/.test(sentence) ? sentence : undefined
  }
  const quoted = (citation: Citation, tell: (quote: string) => string): string[] => {
    const words = first(citation)
    return words === undefined ? [] : [tell(`“${words}”${mark(citation)}`)]
  }
  const day = (at: string | null): string => at?.slice(0, 10) ?? ''
  const code = (text: string): string => `\`${text}\``
  const isPlain = ({ quote }: Citation): boolean => !/[`“”…]/.test(quote)
  return [
    ...evidence.phases.flatMap(({ asked, result, turns, changedFiles, from }) => [
      ...quoted(asked, (quote) => `The human asked: ${quote}`),
      ...(result ? quoted(result, (quote) => `The agent reported: ${quote}`) : []),
      `This part has ${turns} turns and changed ${changedFiles} files.${mark(asked)}`,
      ...(day(asked.at) === day(from) && asked.at
        ? [`The human began it on ${day(from)}.${mark(asked)}`]
        : []),
    ]),
    ...evidence.files
      .slice(0, 12)
      .map(
        ({ path, first: edit, edits }) =>
          `The file ${code(path.split('/').slice(-2).join('/'))} had ${edits} edits.${mark(edit)}`,
      ),
    ...evidence.tests
      .filter(({ run }) => isPlain(run))
      .slice(0, 10)
      .flatMap(({ run, outcome }) =>
        outcome === 'unknown'
          ? []
          : [`The command ${code(run.quote)} ${outcome === 'failed' ? 'failed' : 'passed'}.${mark(run)}`],
      ),
    ...evidence.errors
      .slice(0, 10)
      .flatMap(({ error, ending }) =>
        quoted(
          error,
          (quote) => `The error ${ending === 'fixed' ? 'was fixed' : 'was not repaired'}: ${quote}`,
        ),
      ),
    ...evidence.dynamics.flatMap(({ kind, detail, citations: [citation] }) => {
      if (kind === 'autonomy') return [`The agent worked alone: ${detail}.${mark(citation!)}`]
      if (kind === 'agreement') return quoted(citation!, (quote) => `The human agreed: ${quote}`)
      if (kind === 'disagreement' || kind === 'correction')
        return quoted(citation!, (quote) => `The human disagreed: ${quote}`)
      return kind === 'proposal' ? quoted(citation!, (quote) => `The agent proposed: ${quote}`) : []
    }),
    ...evidence.commits
      .slice(0, 10)
      .filter(({ commit }) => isPlain(commit))
      .map(({ commit }) => `The agent committed with ${code(commit.quote)}.${mark(commit)}`),
  ]
}
