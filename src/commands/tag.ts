import * as z from 'zod/mini'
import { annotationJson } from '../condense/item-json.ts'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { filters } from '../context/filters.ts'
import { field } from '../context/flags.ts'
import { isoTime, timeOrUndefined } from '../context/time.ts'
import { ScrollbackError } from '../errors.ts'
import { hasTag, isTag } from '../model/session.ts'
import { type Column, counted, table } from '../render/table.ts'
import { type Screen, shownLine } from '../render/terminal.ts'
import { timesIn } from '../render/text.ts'
import { parseQuery } from '../search/query.ts'
import { changeAnnotations, storedAnnotations } from '../selection/annotations.ts'
import { chooseOne } from '../selection/choose-sessions.ts'
import { loadSessions } from '../selection/load-sessions.ts'
import { LONGEST_ID } from '../selection/session-names.ts'
import type { AnnotationChange } from '../store/sqlite/annotations.ts'

const input = z.object({
  session: field.text({
    description: 'session id or the beginning of one, latest, or <project>:latest',
    positional: true,
  }),
  tags: field.texts({ description: 'tags to add', positional: true }),
  remove: field.text({ description: 'remove these tags, separated by commas', placeholder: 'tags' }),
  star: field.either({ description: 'give the session a star', off: 'take the star away' }),
  name: field.text({
    description: 'show this name instead of the title; "" removes it',
    placeholder: 'name',
  }),
  rule: field.text({ description: 'give this tag to every session that --when finds', placeholder: 'tag' }),
  when: field.text({ description: 'the query of the rule, as in search', placeholder: 'query' }),
  removeRule: field.text({ description: 'remove the rules of this tag', placeholder: 'tag' }),
  agent: filters.agent,
})

type Input = z.output<typeof input>

/** A session with what the user noted about it. */
const annotatedShape = () =>
  z.object({
    id: z.string(),
    platform: z.string(),
    agent: z.string(),
    title: z.nullable(z.string()),
    lastActivityAt: z.nullable(z.string()),
    star: z.optional(z.boolean()),
    name: z.optional(z.string()),
    tags: z.optional(z.array(z.string())),
  })

/** The answer of `tag`. */
const output = () =>
  z.object({
    version: z.literal(1),
    /** The session that was named. */
    session: z.nullable(annotatedShape()),
    tags: z.array(z.object({ tag: z.string(), sessions: z.number(), queries: z.array(z.string()) })),
    /** Every session with a star, a name or a tag, the most recent first. */
    sessions: z.array(annotatedShape()),
  })

type TagAnswer = z.output<ReturnType<typeof output>>

type TagRow = TagAnswer['tags'][number]

type SessionRow = TagAnswer['sessions'][number]

export const tag = defineCommand({
  name: 'tag',
  summary: 'give sessions stars, names and tags of your own, also by rule, and list them',
  details:
    'Tags are single words. They are stored in annotations.sqlite next to the store; transcripts never change, and rebuilding the index ' +
    'keeps them. A rule is a saved search: every session that it finds has the tag, now and later. Find tagged sessions with ' +
    '"search tag:<tag>", "search is:starred", or --tag and --starred of every listing.',
  examples: [
    { command: 'scrollback tag 640ab4c7 payments --star', description: 'add a tag and a star' },
    { command: "scrollback tag 640ab4c7 --name 'The refund decision'", description: 'give a session a name' },
    { command: 'scrollback tag 640ab4c7 --remove payments --no-star', description: 'take both away' },
    {
      command: "scrollback tag --rule refunds --when 'refund who:human'",
      description: 'tag every session in which you mention refunds',
    },
    { command: 'scrollback tag', description: 'list tags, rules and annotated sessions' },
  ],
  input,
  output,
  needs: 'messages',
  async run(given, context): Promise<TagAnswer> {
    check(given, context)
    const changed = await changeSession(given, context)
    changeRules(given, context)
    const { rules } = storedAnnotations(context)
    const { sessions } = loadSessions({}, context)
    const rows = sessions
      .filter(({ annotation }) => annotation)
      .map(({ id, platform, agent, title, lastActivityMs, annotation }) => ({
        id,
        platform,
        agent,
        title: title ?? null,
        lastActivityAt: isoTime(lastActivityMs),
        ...annotationJson(annotation),
      }))
    const names = new Set([...rules.map((each) => each.tag), ...rows.flatMap(({ tags = [] }) => tags)])
    const own = sessions.find(({ id }) => id === changed)
    return {
      version: 1,
      session:
        own === undefined
          ? null
          : (rows.find(({ id }) => id === own.id) ?? {
              id: own.id,
              platform: own.platform,
              agent: own.agent,
              title: own.title ?? null,
              lastActivityAt: null,
            }),
      tags: [...names].sort().map((name) => ({
        tag: name,
        sessions: sessions.filter(({ annotation }) => hasTag(annotation, name)).length,
        queries: rules.filter((each) => each.tag === name).map(({ query }) => query),
      })),
      sessions: rows,
    }
  },
  render: tagLines,
})

/** Adds and removes what the input asks for. Returns the id of the session. */
async function changeSession(given: Input, context: Context): Promise<string | undefined> {
  const { session, agent, tags, remove, star, name } = given
  if (session === undefined) return undefined
  const { id, annotation } = await chooseOne(
    loadSessions({ agent }, context),
    { name: session, ...(agent === undefined ? {} : { agent }) },
    context,
  )
  const change: AnnotationChange = {
    add: tags,
    remove: listOf(remove),
    ...(star === undefined ? {} : { star }),
    ...(name === undefined ? {} : { name: name.trim() === '' ? null : name.trim().slice(0, LONGEST_NAME) }),
  }
  const missing = listOf(remove).filter((tag) => !annotation?.tags.includes(tag))
  if (missing.length > 0) context.note(`It has no tag ${missing.join(', ')}.`)
  const changes = tags.length > 0 || remove !== undefined || star !== undefined || name !== undefined
  if (changes) changeAnnotations(context, (annotations) => annotations.change(id, change))
  return id
}

const LONGEST_NAME = 200

const listOf = (text = ''): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

function changeRules({ rule, when, removeRule }: Input, context: Context): void {
  if (rule !== undefined && when !== undefined)
    changeAnnotations(context, (annotations) => annotations.addRule({ tag: rule, query: when.trim() }))
  if (removeRule === undefined) return
  const removed = changeAnnotations(context, (annotations) => annotations.removeRules(removeRule))
  if (removed === 0)
    throw new ScrollbackError(
      'nothing-found',
      `--remove-rule: no rule gives the tag "${removeRule}"`,
      `See all rules: ${context.suggest('tag')}`,
    )
}

/** Throws a `ScrollbackError` for what is not a tag, a query, or a complete request. */
function check(
  { session, tags, remove, star, name, rule, when }: Input,
  { suggest }: Pick<Context, 'suggest'>,
): void {
  for (const each of [...tags, ...(rule === undefined ? [] : [rule])])
    if (!isTag(each))
      throw new ScrollbackError(
        'bad-option',
        `"${each}" is not a valid tag`,
        'Use one word of letters, digits and the characters _ . / + # - (at most 64).',
      )
  if (session === undefined && (remove !== undefined || star !== undefined || name !== undefined))
    throw new ScrollbackError(
      'bad-option',
      'The session is missing.',
      `Name it first: ${suggest('tag', ['latest'], '--star')}`,
    )
  if ((rule === undefined) !== (when === undefined))
    throw new ScrollbackError(
      'bad-option',
      `--${rule === undefined ? 'when' : 'rule'}: --${rule === undefined ? 'rule' : 'when'} is missing`,
      "A rule is a tag and a query: scrollback tag --rule refunds --when 'refund who:human'",
    )
  if (when === undefined) return
  const { words, filters: wanted, remarks } = parseQuery(when, 0, timeOrUndefined)
  if (wanted.tag.length + wanted.without.tag.length > 0)
    throw new ScrollbackError(
      'bad-option',
      '--when: a rule cannot search for tags',
      'Search for words, projects or tools instead.',
    )
  if (remarks.length > 0 || (!words && when.trim() === ''))
    throw new ScrollbackError(
      'bad-option',
      `--when: ${remarks[0] ?? 'the query is missing'}`,
      'For the query syntax: scrollback search --help',
    )
}

const tagColumns: Column<TagRow>[] = [
  { title: 'TAG', value: ({ tag }) => tag, whole: true, paint: 'cyan' },
  { title: 'SESSIONS', value: ({ sessions }) => String(sessions), align: 'right' },
  { title: 'RULES', value: ({ queries }) => queries.join('; '), rest: true },
]

const sessionColumns = (when: (iso: string | null) => string, { suggest }: Screen): Column<SessionRow>[] => [
  { title: 'ID', value: ({ id }) => suggest.id(id), whole: true, most: LONGEST_ID, paint: 'cyan' },
  {
    title: 'LAST',
    value: ({ lastActivityAt }) => when(lastActivityAt),
    whole: true,
  },
  { title: '', value: ({ star }) => (star ? '★' : ''), sparse: true },
  { title: 'TAGS', value: ({ tags = [] }) => tags.join(', '), most: 30 },
  { title: 'TITLE', value: ({ name, title }) => name ?? title ?? '(no messages)', rest: true, least: 20 },
]

/** The named session, or every tag, rule and annotated session. */
function* tagLines({ session, tags, sessions }: TagAnswer, screen: Screen): Generator<string> {
  if (session) {
    const { id, star, name, title, tags: own = [] } = session
    const facts = [star ? '★' : '', shownLine(name ?? title ?? '(no messages)')].filter((each) => each !== '')
    yield `${screen.suggest.id(id)}  ${facts.join(' ')}\n`
    yield `${own.length > 0 ? `Tags: ${own.join(', ')}` : star ? 'Starred, without tags.' : 'No tags.'}\n`
    return
  }
  if (tags.length === 0 && sessions.length === 0) {
    yield `No session has a star, a name or a tag. Add one: ${screen.suggest('tag', ['latest'], '--star')}\n`
    return
  }
  if (tags.length > 0) {
    yield* table(tags, tagColumns, screen)
    yield '\n'
  }
  const when = timesIn(
    sessions.map(({ lastActivityAt }) => lastActivityAt),
    screen,
  )
  if (sessions.length > 0) yield* table(sessions, sessionColumns(when, screen), screen)
  yield `\n${counted(sessions.length, 'session')}. Find them: ${screen.suggest('search', [tags[0] ? `tag:${tags[0].tag}` : 'is:starred'])}\n`
}
