import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseBudget } from '../../condense/condense.ts'
import { estimateTokens } from '../../condense/tokens.ts'
import { defineCommand } from '../../context/command.ts'
import { type Context, inTurns } from '../../context/context.ts'
import { isoTime } from '../../context/time.ts'
import { type Brief, BudgetTooSmall, briefsOf } from '../../devlog/brief.ts'
import { namesInMarks } from '../../devlog/citation.ts'
import { draftOf } from '../../devlog/drafts.ts'
import type { Evidence } from '../../devlog/evidence.ts'
import type { BriefOptions } from '../../devlog/frame.ts'
import { gather } from '../../devlog/gather.ts'
import { isDraft } from '../../devlog/guide.ts'
import { type Leak, replacer } from '../../devlog/leaks.ts'
import { countWords } from '../../devlog/sentences.ts'
import { labelsIn } from '../../devlog/story.ts'
import { shownPath } from '../../devlog/turns.ts'
import { writeStory } from '../../devlog/writer.ts'
import { ScrollbackError } from '../../errors.ts'
import { finish } from '../../model/iteration.ts'
import { mapStrings } from '../../model/json.ts'
import { createGate } from '../../render/gate.ts'
import { markdownHtml } from '../../render/html.ts'
import { createGatedFile, pageHead, refuseToReplace, toFile, unwritable } from '../export/output-file.ts'
import {
  checkText,
  type DevlogAnswer,
  evidenceText,
  leakText,
  NOT_LOOKED_FOR,
  output,
  reportText,
} from './answer.ts'
import { checkFile, checkMarkdown, codeOf, createWriter, isSound, leaksOf, libraryOf } from './check.ts'
import { type DevlogInput, input, loadSources, requestedSpan, type Sources } from './sources.ts'

const USUAL_BUDGET = '24k'
const USUAL_SECONDS = 600
const MOST_KEY_FILES = 5

export const devlog = defineCommand({
  name: 'devlog',
  summary: 'print the brief for the story of a project, or draft a standup, a changelog or a log',
  details:
    'The brief has what an agent or a person needs to write the story: the sessions, the time line, and the conversation with its important ' +
    'parts, each message with a citation mark, and a guide. With --writer, a command-line model writes from it. --check looks up the ' +
    'citations, quotes, numbers, names and dates of a text (exit code 3 if something does not hold). The styles standup, changelog and log ' +
    'need no writer. See docs/guides/devlog.md.',
  examples: [
    { command: 'scrollback devlog api --yes', description: 'print the brief about a project' },
    {
      command: 'scrollback devlog api --topic refund --yes --out brief.md',
      description: 'write one about a topic',
    },
    {
      command: 'scrollback devlog api --sessions 640ab4c7,7122ceb8 --style tutorial --code',
      description: 'use two sessions, for a tutorial with code',
    },
    {
      command: 'scrollback devlog --style standup --since 2026-11-05',
      description: 'draft what was done and what is open, per project',
    },
    { command: 'scrollback devlog api --style changelog', description: 'draft what users notice' },
    {
      command: `scrollback devlog api --yes --writer 'ollama run qwen3' --out story.md`,
      description: 'have the story written by a model, and check it',
    },
    { command: 'scrollback devlog --check story.md', description: 'look up every citation and fact' },
  ],
  input,
  output,
  needs: 'words',
  async run(given: DevlogInput, context: Context): Promise<DevlogAnswer> {
    const { style } = given
    if (given.check !== undefined && given.writer !== undefined)
      throw new ScrollbackError(
        'bad-option',
        '--check looks up a text that is there, --writer has one written',
        'Drop one of them.',
      )
    if (given.check !== undefined) return checkOnly(given, given.check, context)
    refuseCombinations(given)
    const path = given.out === undefined ? undefined : outputPath(given.out, given.force, context)
    // What a writer reads may leave this machine, so it is made from redacted transcripts.
    const reading = given.writer === undefined ? context : { ...context, redact: true }
    const sources = await loadSources(given, requestedSpan(given, context), reading)
    const subject = {
      project: projectOf(sources, given),
      topic: given.topic ?? null,
      coverage: sources.coverage,
    }
    const evidence = await inTurns(gather(sources.sources, subject), context)
    const made = await make(sources, evidence, given, reading)
    const refused = given.strict && made.check !== undefined && !isSound(made.check)
    if (refused) context.partly?.()
    const files = path === undefined || refused ? undefined : writeAll(path, made, given, context)
    if (!files && !refused) noteLeaks(made.leaks, context)
    if (!files && !refused && made.check && !isSound(made.check)) noteFindings(made.check, context)
    return {
      version: 1,
      style,
      selection: selectionJson(sources),
      evidence: made.evidence as DevlogAnswer['evidence'],
      ...(made.briefs
        ? { briefs: files ? made.briefs.map(({ text: _, ...each }) => each) : made.briefs }
        : {}),
      ...(files ? { files } : refused || made.text === undefined ? {} : { draft: made.text }),
      report: reportOf(made, given),
      ...(made.asked === undefined ? {} : { asked: made.asked }),
      leaks: made.leaks,
      ...(made.check ? { check: made.check } : {}),
    }
  },
  *render(answer, screen) {
    const { check, draft, briefs, files, leaks, selection } = answer
    if (!selection && check) yield* checkText(check, screen)
    if (files) {
      yield* reportText(answer, screen)
      if (check) {
        yield '\n'
        yield* checkText(check, screen)
      }
      if (selection) yield* leakText(leaks ?? [])
      return
    }
    if (draft !== undefined) yield draft
    else if (briefs) yield briefs[0]!.text!
    else if (check && selection) {
      yield 'Nothing was written, because not everything in the text holds (--strict).\n\n'
      yield* checkText(check, screen)
    }
  },
  isVerbatim: ({ draft, briefs, files }) => (draft ?? briefs) !== undefined && !files,
})

/** What a run has made. */
interface Made {
  evidence: Evidence
  /** A draft, a written text or evidence. */
  text?: string
  briefs?: Brief[]
  check?: DevlogAnswer['check']
  asked?: number
  title: string
  budget?: { wanted: number; used: number; leftOut: number }
  leaks: Leak[]
}

async function make(all: Sources, evidence: Evidence, given: DevlogInput, context: Context): Promise<Made> {
  const { style, writer, budget } = given
  const clean = cleanerFor(all, evidence, given, context)
  const nameOf = namesInMarks(context.suggest)
  const own = given.anonymize ? mapStrings(evidence, clean) : evidence
  const leaks = (text: string): Leak[] => leaksOf(text, all.sources, context)
  if (given.evidence) {
    const text = evidenceText(own, nameOf)
    return { evidence: own, text, title: 'Evidence', leaks: leaks(text) }
  }
  const wanted = budget === undefined ? undefined : parseBudget(budget)!
  if (isDraft(style) && writer === undefined) {
    const textOf = (text: string): string => (given.format === 'html' ? htmlOf(text, context.now) : text)
    const count = (text: string): number => estimateTokens(textOf(text))
    const limit = wanted === undefined ? undefined : { most: wanted, count }
    const draft = draftOf(style, evidence, all.sources, limit, nameOf, clean)
    if (!draft) throw tooSmall(budget!)
    const used =
      wanted === undefined ? {} : { budget: { wanted, used: count(draft.text), leftOut: draft.leftOut } }
    return { evidence: own, title: draft.title, text: textOf(draft.text), leaks: leaks(draft.text), ...used }
  }
  const options: BriefOptions = {
    style,
    voice: given.voice,
    nameOf,
    clean,
    budget: wanted ?? parseBudget(USUAL_BUDGET)!,
    ...(given.code ? { code: clean(codeOf(own, all.sources, all.loaded, context)) } : {}),
  }
  try {
    return writer === undefined
      ? await briefs(all, evidence, own, options, given, context)
      : await written(all, evidence, own, options, { ...given, writer }, context)
  } catch (error) {
    throw error instanceof BudgetTooSmall ? tooSmall(budget ?? USUAL_BUDGET) : error
  }
}

async function briefs(
  { sources }: Sources,
  evidence: Evidence,
  own: Evidence,
  options: BriefOptions,
  { part, format }: DevlogInput,
  context: Context,
): Promise<Made> {
  const all = await inTurns(briefsOf(sources, evidence, options), context)
  const chosen = part === undefined ? all : all.filter((each) => each.part === part)
  if (chosen.length === 0)
    throw new ScrollbackError(
      'bad-option',
      `--part: ${all.length === 1 ? 'the project fits into one brief' : `there are ${all.length - 1} parts`}`,
      'Leave out --part, or use a smaller --budget to get more parts.',
    )
  const leaks = leaksOf(chosen.map(({ text }) => text).join('\n'), sources, context)
  const { title, tokens } = chosen[0]!
  return {
    evidence: own,
    title,
    leaks,
    briefs: chosen.map((each) =>
      format === 'html' ? { ...each, text: htmlOf(each.text, context.now) } : each,
    ),
    budget: { wanted: options.budget, used: tokens, leftOut: 0 },
  }
}

async function written(
  { sources }: Sources,
  evidence: Evidence,
  own: Evidence,
  options: BriefOptions,
  { writer, writerTimeout = USUAL_SECONDS }: DevlogInput & { writer: string },
  context: Context,
): Promise<Made> {
  const ask = createWriter(writer, writerTimeout, context)
  const { text, asked } = await writeStory(sources, evidence, options, ask)
  const { check, text: whole } = checkMarkdown(text, writer, libraryOf(sources), options.nameOf)
  return {
    evidence: own,
    check,
    asked,
    text: whole,
    title: /^# (.*)$/m.exec(whole)?.[1] ?? 'Story',
    leaks: leaksOf(whole, sources, context),
    budget: { wanted: options.budget, used: estimateTokens(whole), leftOut: 0 },
  }
}

/** Replaces what the leak check finds in the evidence and the messages, with --anonymize. */
function cleanerFor(
  { sources }: Sources,
  evidence: Evidence,
  { anonymize }: DevlogInput,
  context: Context,
): (text: string) => string {
  if (!anonymize) return (text) => text
  const texts = sources.flatMap(({ session, items }) => [
    session.title ?? '',
    ...items.map(({ text, tool }) => text ?? tool?.target ?? ''),
  ])
  const shown = evidenceText(evidence, namesInMarks(context.suggest))
  const values = leaksOf([...texts, shown].join('\n'), sources, context).flatMap(({ value }) => value ?? [])
  return replacer(values)
}

function checkOnly(given: DevlogInput, name: string, context: Context): DevlogAnswer {
  const path = given.out === undefined ? undefined : outputPath(given.out, given.force, context)
  const { check, text } = checkFile(name, context)
  if (!isSound(check)) context.partly?.()
  return {
    version: 1,
    style: given.style,
    check,
    ...(path === undefined ? {} : { files: [writeText(path, text, context)] }),
  }
}

const htmlOf = (markdown: string, now: number): string => {
  const title = /^# (.*)$/m.exec(markdown)?.[1] ?? 'Devlog'
  return `${pageHead(title, true, now)}${markdownHtml(markdown)}</body>\n</html>\n`
}

const tooSmall = (budget: string): ScrollbackError =>
  new ScrollbackError(
    'bad-option',
    `--budget: ${budget} tokens are too few`,
    'Allow more, or choose fewer sessions with --sessions or --since.',
  )

/** Writes the text, or the brief and those about its parts: brief.md, brief-1.md, brief-2.md. */
function writeAll(
  path: string,
  { text, briefs }: Made,
  { force }: DevlogInput,
  context: Context,
): { path: string; bytes: number }[] {
  if (text !== undefined) return [writeText(path, text, context)]
  const paths = briefs!.map(({ part }, index) =>
    index === 0 ? path : outputPath(path.replace(/(?=\.\w+$)|$/, `-${part}`), force, context),
  )
  return briefs!.map((brief, index) => writeText(paths[index]!, brief.text, context))
}

/** A writer writes Markdown from a brief. */
function refuseCombinations({ writer, strict, format, evidence, code, style, part }: DevlogInput): void {
  const refuse = (what: string, wayOut: string): never => {
    throw new ScrollbackError('bad-option', what, wayOut)
  }
  if (writer === undefined && strict)
    refuse('--strict needs --writer', 'To check a text that you have, use --check.')
  if (writer !== undefined && format === 'html')
    refuse('--writer and --format html exclude each other', 'A writer writes Markdown.')
  if (writer !== undefined && (evidence || part !== undefined))
    refuse(
      `--writer and --${evidence ? 'evidence' : 'part'} exclude each other`,
      'The writer is given the whole brief.',
    )
  if (isDraft(style) && writer === undefined && (code || part !== undefined))
    refuse(
      `--style ${style} and --${code ? 'code' : 'part'} exclude each other`,
      'A draft has neither: use --style story, tutorial or deep-dive.',
    )
}

const projectOf = ({ sources }: Sources, { project }: DevlogInput): string | null => {
  const names = new Set(sources.flatMap((source) => source.project ?? []))
  return names.size === 1 ? [...names][0]! : (project ?? null)
}

const selectionJson = ({ rows }: Sources): DevlogAnswer['selection'] =>
  rows.map(({ session, isIn, main, why }) => ({
    id: session.id,
    path: session.path,
    isIn,
    main,
    why,
    title: session.title ?? null,
    startedAt: isoTime(session.startedMs),
  }))

function reportOf(
  { evidence: { span, coverage, sessions, files }, text, briefs, title, budget }: Made,
  { format }: DevlogInput,
): DevlogAnswer['report'] {
  const whole = text ?? briefs![0]!.text
  const plain = format === 'html' ? whole.replace(/<style>[\s\S]*?<\/style>|<[^>]+>/g, ' ') : whole
  return {
    title,
    words: countWords(plain.replace(/\[\^[^\]]+\]/g, '')),
    citations: labelsIn(plain).length,
    sessions: sessions.length,
    coverage,
    span,
    keyFiles: files.slice(0, MOST_KEY_FILES).map(({ path }) => shownPath(path, { cwds: [] })),
    ...(budget ? { budget } : {}),
  }
}

/** The text goes to standard output, so the findings are reported as notes. */
function noteLeaks(leaks: readonly Leak[], context: Context): void {
  if (leaks.length === 0) return
  const shown = leaks.map(({ kind, value, times }) => `  ${kind}: ${value ?? '(not shown)'}, ${times}`)
  context.note(
    [`Before you publish this, look at (replace all of them: --anonymize). ${NOT_LOOKED_FOR}`, ...shown].join(
      '\n',
    ),
  )
}

function noteFindings({ citations, findings }: NonNullable<DevlogAnswer['check']>, context: Context): void {
  const gone = citations.filter(({ state }) => state === 'gone')
  context.note(
    [
      'Not everything in the text holds:',
      ...findings.map(
        ({ line, kind, what, nearest }) =>
          `  line ${line}: ${kind} ${what}${nearest === null ? '' : ` (nearest: ${nearest})`}`,
      ),
      ...gone.map(({ label }) => `  [^${label}]: no transcript has this record`),
    ].join('\n'),
  )
}

/** The path of the file, which must be free before anything is read. */
function outputPath(out: string, force: boolean, { here }: Context): string {
  const path = resolve(here, out)
  refuseToReplace(path, false, force)
  return path
}

/** Writes the text and returns its path and size. */
function writeText(path: string, text: string, { redact }: Context): { path: string; bytes: number } {
  try {
    finish(toFile(createGatedFile(path, createGate({ redact, colors: false })), [text]))
  } catch (error) {
    throw unwritable(path, error)
  }
  return { path, bytes: statSync(path).size }
}
