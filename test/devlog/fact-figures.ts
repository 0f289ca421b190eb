import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { blocksOf } from '../../src/devlog/facts/blocks.ts'
import { checkFacts } from '../../src/devlog/facts/check.ts'
import { sentencesIn } from '../../src/devlog/facts/sentences.ts'
import { type Lie, liesAbout } from './lies.ts'
import { type ProjectCase, storyOf } from './stories.ts'
import { templateSentences } from './templates.ts'

/** Honest sentences and the lies that were made from them. */
export interface Sentences {
  honest: string[]
  lies: Lie[]
}

/** The sentences of the stories about the demo, written by hand and by templates, and smuggled ones. */
export function storySentences(project: ProjectCase): Sentences {
  const written = ['english.md', 'other-languages.md'].flatMap((name) => {
    const text = storyOf(name, project.material)
    return blocksOf(text)
      .filter(({ type }) => type !== 'heading')
      .flatMap((block) => sentencesIn(text, block))
      .map(({ raw }) => raw)
  })
  const smuggled = JSON.parse(
    readFileSync(join(import.meta.dirname, 'stories/smuggled.json'), 'utf8'),
  ) as string[]
  const honest = [...written, ...templateSentences(project)]
  return {
    honest,
    lies: [...liesAbout(honest, project), ...smuggled.map((text) => ({ kind: 'smuggled', text }))],
  }
}

/** The sentences that templates make about any project. */
export function templateSet(project: ProjectCase): Sentences {
  const honest = templateSentences(project)
  return { honest, lies: liesAbout(honest, project) }
}

/** How many lies of a kind there are, and how many the check caught. */
export interface LieFigure {
  kind: string
  lies: number
  caught: number
}

/** What the check makes of honest sentences and of lies. */
export interface FactFigures {
  honest: number
  alarms: string[]
  byKind: LieFigure[]
  missed: Lie[]
}

/** Counts false alarms and caught lies. */
export function measureFacts(project: ProjectCase, { honest, lies }: Sentences): FactFigures {
  const isFound = (text: string): boolean => checkFacts(text, project.material).length > 0
  const missed = lies.filter(({ text }) => !isFound(text))
  const kinds = Map.groupBy(lies, ({ kind }) => kind)
  return {
    honest: honest.length,
    alarms: honest.filter(isFound),
    byKind: [...kinds].map(([kind, own]) => ({
      ...{ kind, lies: own.length },
      caught: own.length - missed.filter((lie) => lie.kind === kind).length,
    })),
    missed,
  }
}
