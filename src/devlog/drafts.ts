import type { Item } from '../model/session.ts'
import { codeSpan, oneLine, plainMarkdown } from '../render/markdown.ts'
import { counted, grouped } from '../render/table.ts'
import { printable } from '../render/terminal.ts'
import { cite, definitionOf, labelOf, markOf, type NameOf } from './citation.ts'
import type { Citation, CommitEvidence, Dynamic, Evidence, Phase, PullRequestEvidence } from './evidence.ts'
import { type Exchange, exchangesOf } from './exchanges.ts'
import { countWords, cutText, GAP, plainWords, proseOf, sentencesOf, shortTitle } from './sentences.ts'
import { COURSE, coverageLine, days, figuresOf, unreadLine } from './summary.ts'
import { type SourceSession, shownPath } from './turns.ts'

/** A draft in Markdown, and how much of it there would be. */
export interface Draft {
  title: string
  text: string
  /** Lines that were left out to fit. */
  leftOut: number
}

/** A line or paragraph of a draft. Lines with a low weight are left out first; without a weight, never. */
interface Line {
  text: string
  weight?: number
  /** A heading is only shown if something follows it. */
  heading?: true
}

/** How much a draft may have. */
export interface Limit {
  most: number
  count(text: string): number
}

const LOG_WORDS = 1500

/** The usual length of a log, in words. */
const usualLimit: Limit = { most: LOG_WORDS, count: (text) => countWords(bodyOf(text)) }

/** The text without the definitions of its marks. */
const bodyOf = (text: string): string => text.replace(/^\[\^[^\]]+\]: .*$/gm, '').replace(/\[\^[^\]]+\]/g, '')

/** Drafts a log, a standup or a changelog. Undefined if not even the fixed lines fit. */
export function draftOf(
  style: 'log' | 'standup' | 'changelog',
  evidence: Evidence,
  sources: readonly SourceSession[],
  limit: Limit | undefined,
  nameOf: NameOf,
  clean: (text: string) => string = (text) => text,
): Draft | undefined {
  const draft = new Draftsman(evidence, sources, nameOf, clean)
  const { title, lines } = draft[style]()
  return fitted(title, lines, draft.times, style === 'log' ? (limit ?? usualLimit) : limit)
}

function fitted(
  title: string,
  lines: readonly Line[],
  times: ReadonlyMap<string, string | null>,
  limit: Limit | undefined,
): Draft | undefined {
  const textOf = (taken: (line: Line) => boolean): string => documentOf(title, lines.filter(taken), times)
  if (!limit) return { title, text: textOf(() => true), leftOut: 0 }
  const { most, count } = limit
  const optional = lines.filter(({ weight }) => weight !== undefined).sort((a, b) => b.weight! - a.weight!)
  const taken = new Set(lines.filter(({ weight }) => weight === undefined))
  const isTaken = (line: Line): boolean => taken.has(line)
  let used = count(textOf(isTaken))
  if (used > most) return undefined
  for (const line of optional) {
    if (used >= most) break
    taken.add(line)
    const more = count(textOf(isTaken))
    if (more > most) taken.delete(line)
    else used = more
  }
  return { title, text: textOf(isTaken), leftOut: lines.length - taken.size }
}

function documentOf(
  title: string,
  lines: readonly Line[],
  times: ReadonlyMap<string, string | null>,
): string {
  const shown = lines.filter(({ heading }, index) => {
    const next = lines[index + 1]
    return !heading || (next !== undefined && !next.heading)
  })
  let body = `# ${title}\n`
  let before = ''
  for (const { text, heading } of shown) {
    const line = heading ? `## ${text}` : text
    const joins = line.startsWith('- ') && before.startsWith('- ')
    body += joins ? `${line}\n` : `\n${line}\n`
    before = line
  }
  const labels = new Set(Array.from(body.matchAll(/\[\^([\w:-]+)\]/g), ([, label]) => label!))
  const definitions = [...labels].flatMap((label) =>
    times.has(label) ? definitionOf(label, times.get(label)!) : [],
  )
  return definitions.length > 0 ? `${body}\n${definitions.join('\n')}\n` : body
}

const SECTIONS = ['Added', 'Changed', 'Fixed', 'Removed', 'Security'] as const
type Section = (typeof SECTIONS)[number]

/** The type of a conventional commit, or the first word of any other. The first rule that fits decides. */
const RULES: readonly { section: Section | 'internal'; words: RegExp }[] = [
  {
    section: 'internal',
    words: /^(?:test|tests|chore|ci|build|docs?|style|refactor|release|merge|wip|bump)\b/i,
  },
  { section: 'Security', words: /^(?:security|sec)\b|\b(?:vulnerabilit|CVE-)/i },
  { section: 'Removed', words: /^(?:remove|drop|delete)\b/i },
  { section: 'Fixed', words: /^(?:fix|bugfix|hotfix|correct|repair|prevent|stop|handle)\b/i },
  {
    section: 'Added',
    words: /^(?:feat|feature|initial|add|create|implement|introduce|support|allow|new|let)\b/i,
  },
]

const sectionOf = (subject: string): Section | 'internal' =>
  RULES.find(({ words }) => words.test(subject))?.section ?? 'Changed'

const PREFIX = /^[a-z]+(?:\([^)]*\))?!?:\s*/i
const BREAKS = /^[a-z]+(?:\([^)]*\))?!:|\bBREAKING CHANGE\b/
const SAFE_LINK = /^https:\/\/[\w.-]+(?:\/[\w./-]*)?$/
const WISH = 200
const RESULT = 260
const MOST_FILES = 3
const MOST_OPEN = 5
const COMMAND = 80

const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Writes the lines of drafts, and keeps the times of what it cites. */
class Draftsman {
  readonly times = new Map<string, string | null>()
  private readonly exchanges: readonly Exchange[]
  private readonly bySource: ReadonlyMap<SourceSession, readonly Exchange[]>
  private readonly evidence: Evidence
  private readonly sources: readonly SourceSession[]
  private readonly nameOf: NameOf
  private readonly clean: (text: string) => string

  constructor(
    evidence: Evidence,
    sources: readonly SourceSession[],
    nameOf: NameOf,
    clean: (text: string) => string,
  ) {
    this.evidence = evidence
    this.sources = sources
    this.nameOf = nameOf
    this.clean = clean
    this.exchanges = exchangesOf(sources)
    this.bySource = Map.groupBy(this.exchanges, ({ source }) => source)
  }

  standup(): { title: string; lines: Line[] } {
    const { evidence } = this
    const projects = [...new Set(evidence.sessions.map(({ project }) => project))]
    const from = evidence.span === null ? '' : ` since ${evidence.span.from.slice(0, 10)}`
    const lines = projects.flatMap((project) => this.project(project))
    return {
      title: `Standup: ${this.plain(evidence.project ?? 'all projects')}${from}`,
      lines: lines.length > 0 ? lines : [{ text: 'No session in this time.' }],
    }
  }

  private project(project: string | null): Line[] {
    const sources = this.sources.filter((source) => (source.project ?? null) === project)
    const ids = new Set(sources.map(({ session }) => session.id))
    const isOwn = ({ session }: Citation): boolean => ids.has(session)
    const { commits, pullRequests, questions, errors, files } = this.evidence
    const own = commits.filter(({ commit }) => isOwn(commit))
    const failing = errors.filter(({ error, ending }) => ending === 'still-failing' && isOwn(error))
    const unanswered = questions.filter(
      ({ by, question, answer }) => by === 'agent' && answer === null && isOwn(question),
    )
    const changed = files.filter(({ sessions }) => sessions.some((id) => ids.has(id)))
    const others = sources.filter(({ main }) => !main).length
    const results = sources.filter(({ main }) => main).flatMap((source) => this.outcome(source))
    const facts = [
      ...(own.length > 0 ? [`- ${this.commits(own)}`] : []),
      ...pullRequests.filter(({ mention }) => isOwn(mention)).map((each) => `- ${this.pullRequest(each)}`),
      ...(changed.length > 0
        ? [
            `- Changed: ${changed
              .slice(0, MOST_FILES)
              .map(
                ({ path, last }) =>
                  `${codeSpan(this.clean(shownPath(path, sources[0]!.session)))}${this.mark(last)}`,
              )
              .join(', ')}${changed.length > MOST_FILES ? ' and others' : ''}`,
          ]
        : []),
      ...(others > 0 ? [`- ${counted(others, 'session')} of subagents and programs ran meanwhile`] : []),
    ]
    const open = [
      ...failing.map(({ error }) => `- Open: an error is not solved: ${this.quote(error)}`),
      ...unanswered.slice(-MOST_OPEN).map(({ question }) => `- Open: the agent asks ${this.quote(question)}`),
      ...sources.flatMap((source) => this.unfinished(source)),
    ]
    if (results.length + facts.length + open.length === 0) return []
    return [
      { text: this.plain(project ?? 'Without a project'), heading: true },
      ...results.map((text, index) => ({ text, weight: 80 - index * 0.1 })),
      ...open.map((text, index) => ({ text, weight: 70 - index * 0.1 })),
      ...facts.map((text, index) => ({ text, weight: 60 - index * 0.1 })),
    ]
  }

  /** What was wanted in a session, and the last conclusion of the agent. */
  private outcome(source: SourceSession): string[] {
    const own = this.bySource.get(source) ?? []
    const first = wishOf(own)
    if (!first) return []
    const last = resultOf(own)
    const wish = this.words(source, first.prompt, WISH)
    const result = last && this.words(source, last.conclusion!, RESULT)
    return [
      `- ${day(first.at)}, wanted: ${wish}. ${result ? `Came of it: ${result}` : 'There is no reply yet.'}`,
    ]
  }

  /** A last prompt without a reply. */
  private unfinished(source: SourceSession): string[] {
    const own = this.bySource.get(source) ?? []
    const last = own.at(-1)
    return last && own.length > 1 && !last.conclusion && countWords(last.prompt.text ?? '') > 3
      ? [`- Open: no reply to ${this.words(source, last.prompt, WISH)}`]
      : []
  }

  changelog(): { title: string; lines: Line[] } {
    const { evidence } = this
    const unique = [...new Map(evidence.commits.map((each) => [each.subject, each])).values()]
    const rows = unique.map((commit) => ({ commit, section: sectionOf(commit.subject) }))
    const internal = rows.filter(({ section }) => section === 'internal').length
    const committing = new Set(evidence.commits.map(({ commit }) => commit.session))
    const loose = this.sources.filter(({ main, session }) => main && !committing.has(session.id))
    const finished = loose.flatMap((source) => this.finished(source))
    return {
      title: `Changelog: ${this.plain(evidence.project ?? 'all projects')}`,
      lines: [
        { text: coverageLine(this.evidence) },
        ...SECTIONS.flatMap((section): Line[] => {
          const own = rows.filter((row) => row.section === section)
          return own.length === 0
            ? []
            : [
                { text: section, heading: true },
                ...own.map(({ commit: { subject, commit } }, index) => ({
                  text: `- ${BREAKS.test(subject) ? '**Breaking:** ' : ''}${this.plain(subject.replace(PREFIX, ''))}${this.mark(commit)}`,
                  weight: 80 - index * 0.01,
                })),
              ]
        }),
        ...(internal > 0
          ? [
              {
                text: `${grouped(internal)} of ${counted(unique.length, 'commit')} change nothing that users notice, by their subject.`,
              },
            ]
          : []),
        ...(unique.length === 0
          ? [
              {
                text: 'The transcripts show no commit. This is what the agent reported at the end of each session.',
              },
            ]
          : []),
        { text: unique.length === 0 ? 'Sessions' : 'Reported without a commit', heading: true },
        ...finished.map((text, index) => ({ text, weight: 60 - index * 0.1 })),
      ],
    }
  }

  /** What the agent reported at the end of a session that changed something. */
  private finished(source: SourceSession): string[] {
    const own = this.bySource.get(source) ?? []
    const last = resultOf(own)
    const changed = this.evidence.files.filter(({ sessions }) => sessions.includes(source.session.id))
    if (!last || changed.length === 0) return []
    const { session } = source
    const title = session.annotation?.name ?? session.title
    const names = changed
      .slice(0, MOST_FILES)
      .map(({ path }) => codeSpan(this.clean(shownPath(path, session))))
    return [
      `- ${day(last.end)}${title ? ` **${this.plain(shortTitle(title, 80))}**` : ''}: ${this.words(source, last.conclusion!, RESULT)} (${names.join(', ')}${changed.length > MOST_FILES ? ` and ${counted(changed.length - MOST_FILES, 'more file')}` : ''})`,
    ]
  }

  log(): { title: string; lines: Line[] } {
    const { evidence } = this
    const unread = unreadLine(evidence)
    return {
      title: `Log: ${this.plain(evidence.project ?? 'several projects')}`,
      lines: [
        { text: coverageLine(this.evidence) },
        ...(unread === undefined ? [] : [{ text: unread }]),
        ...evidence.phases.flatMap((phase, index) => this.phase(phase, index)),
      ],
    }
  }

  private phase(phase: Phase, index: number): Line[] {
    const { title, from, to, hardPart } = phase
    const own = this.exchanges.filter(
      ({ source, at }) => phase.sessions.includes(source.session.id) && isWithin(at, phase),
    )
    const first = wishOf(own)
    const last = resultOf(own)
    const wish = first && cite(first.source.session, first.prompt)
    // A prompt that corrects and was interrupted is one turning point.
    const known = new Set(wish ? [`${wish.path}:${wish.line}`] : [])
    const turning = this.evidence.dynamics
      .filter(
        ({ kind, citations: [where], about }) =>
          kind !== 'debugging' && isOf(where!, phase) && (kind !== 'agreement' || about),
      )
      .filter(({ citations: [where] }) => {
        const key = `${where!.path}:${where!.line}`
        const isNew = !known.has(key)
        known.add(key)
        return isNew
      })
      .map((each) => ({ line: this.turningPoint(each), weight: WEIGHT[each.kind] }))
      .filter(({ line }) => line !== undefined)
    const begin = 1 - index / 1000
    return [
      { text: this.plain(title), heading: true },
      { text: `${days(from, to)} · ${figuresOf(phase).join(' · ')}`, weight: 90 + begin },
      ...(first
        ? [{ text: `The human wanted: ${this.words(first.source, first.prompt, WISH)}`, weight: 89 + begin }]
        : []),
      ...turning.map(({ line, weight }, index) => ({ text: line!, weight: weight + begin - index * 2 })),
      ...(hardPart ? [{ text: this.hardPart(hardPart), weight: 75 + begin }] : []),
      ...(last
        ? [
            {
              text: `The agent reported: ${this.words(last.source, last.conclusion!, RESULT)}`,
              weight: 85 + begin,
            },
          ]
        : []),
    ]
  }

  private hardPart({ why, citations }: NonNullable<Phase['hardPart']>): string {
    const shown = citations.slice(0, 3).map((each) => {
      const item = this.item(each)
      return item?.who === 'tool' && item.tool?.target
        ? `${codeSpan(this.clean(cutText(oneLine(item.tool.target), COMMAND)))}${this.mark(each)}`
        : this.quote(each)
    })
    return `**The hard part:** ${why}: ${[...new Set(shown)].join(', ')}`
  }

  private turningPoint({ kind, detail, about, citations: [where] }: Dynamic): string | undefined {
    const item = this.item(where!)
    if (!item) return undefined
    if (kind === 'course' && detail !== null)
      return `- ${capital(COURSE[detail] ?? detail)}: ${this.quote(where!)}`
    const words = where!.quote
    if (!/[.!?。！？]["”’」』)]*$/.test(words)) return undefined
    const before =
      about && /[.!?。！？]$/.test(about.quote) && !/[|`#*]/.test(about.quote)
        ? ` after the agent: ${this.quote(about)}`
        : ''
    return `- The human ${VERB[kind]}: ${this.quote(where!)}${before}`
  }

  private item({ path, line, digest }: Citation): Item | undefined {
    return this.sources
      .find(({ session }) => session.path === path)
      ?.items.find((item) => item.line === line && cite({ id: '', path }, item).digest === digest)
  }

  /** Whole sentences of prose from a message, as many as fit, as a quotation with its mark. */
  private words({ session }: SourceSession, item: Item, most: number): string {
    return this.quote({ ...cite(session, item), quote: quotable(item, most) ?? '…' })
  }

  private quote(citation: Citation): string {
    // Quotation marks inside must not end the one around them.
    return `“${this.plain(citation.quote.replace(/[“”„]/g, '"'))}”${this.mark(citation)}`
  }

  private mark(citation: Citation): string {
    this.times.set(labelOf(citation, this.nameOf), citation.at)
    return markOf(citation, this.nameOf)
  }

  private commits(commits: readonly CommitEvidence[]): string {
    return `${counted(commits.length, 'commit')}: ${commits
      .slice(0, MOST_OPEN)
      .map(({ subject, commit }) => `${this.plain(subject)}${this.mark(commit)}`)
      .join(', ')}${commits.length > MOST_OPEN ? ` and ${commits.length - MOST_OPEN} more` : ''}`
  }

  private pullRequest({ url, title, mention }: PullRequestEvidence): string {
    if (url === null && title === null) return `A pull request was opened${this.mark(mention)}`
    const name = url !== null && SAFE_LINK.test(url) ? `<${url}>` : this.plain(title ?? url!)
    return `Pull request: ${name}${this.mark(mention)}`
  }

  private plain(text: string): string {
    return plainMarkdown(printable(this.clean(text)))
  }
}

const MOST_SENTENCES = 3

/** Whole sentences of a message in their order, with a mark where something between them is left out. */
export function quotable(item: Item, most: number): string | undefined {
  const text = oneLine(item.text ?? '')
  let [quote, count] = ['', 0]
  let last = ''
  for (const sentence of proseOf(item.text)) {
    const isNext = last !== '' && plainWords(text).includes(`${last} ${sentence}`)
    const joined = quote === '' ? sentence : `${quote} ${isNext ? '' : `${GAP} `}${sentence}`
    if (quote !== '' && joined.length > most) continue
    quote = joined
    last = sentence
    if (++count === MOST_SENTENCES) break
  }
  if (quote !== '') return cutText(quote, Math.max(most, WISH))
  // People leave out the last mark of punctuation.
  const isLine = item.who === 'human' && text.length <= WISH && !text.includes('```')
  if (isLine && countWords(text) > 2) return plainWords(text)
  return sentencesOf(item.text)[0]
}

/** A conclusion of fewer words says that something is done, and not what. */
const LEAST_RESULT = 12

/** The exchange whose conclusion says what came of it: the last that says more than a few words. */
export const resultOf = (exchanges: readonly Exchange[]): Exchange | undefined =>
  exchanges.findLast(({ conclusion }) => countWords(proseOf(conclusion?.text).join(' ')) >= LEAST_RESULT) ??
  exchanges.findLast(({ conclusion }) => conclusion)

/** The exchange that says what was wanted: the first of more than a few words. */
export const wishOf = (exchanges: readonly Exchange[]): Exchange | undefined =>
  exchanges.find(({ prompt }) => countWords(quotable(prompt, WISH) ?? '') > 3) ?? exchanges[0]

const WEIGHT = { correction: 80, course: 79, agreement: 50, debugging: 0 } as const
const VERB = {
  correction: 'corrected',
  course: 'changed course',
  agreement: 'agreed',
  debugging: '',
} as const

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

const isWithin = (at: number, { from, to }: Phase): boolean => at >= Date.parse(from) && at <= Date.parse(to)

const isOf = ({ session, at }: Citation, { sessions, from, to }: Phase): boolean =>
  sessions.includes(session) && at !== null && at >= from && at <= to
