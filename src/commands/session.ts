import * as z from 'zod/mini'
import { sessionJson } from '../condense/item-json.ts'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { filters, identities } from '../context/filters.ts'
import { field } from '../context/flags.ts'
import { withTexts } from '../context/read-files.ts'
import { among, ScrollbackError } from '../errors.ts'
import { toBillionths } from '../model/usage.ts'
import { identityOf } from '../platforms/identities.ts'
import { agentName } from '../platforms/identity.ts'
import { counted, cutTo, dollars, grouped, homely, readableBytes } from '../render/table.ts'
import { type Screen, shownLine } from '../render/terminal.ts'
import { dated, finishSession, surfaceText } from '../render/text.ts'
import { chooseNamed } from '../selection/choose-sessions.ts'
import { costsOf } from '../selection/costs.ts'
import { type Loaded, loadSessions } from '../selection/load-sessions.ts'
import { partOfNames, sessionsOfId } from '../selection/session-names.ts'
import {
  type entryShape,
  type NamedJson,
  namedJson,
  namedShape,
  sessionShape,
} from '../selection/session-rows.ts'

const output = () =>
  z.object({
    version: z.literal(1),
    /** The files of one session, newest first. */
    sessions: z.array(sessionShape()),
    named: z.array(namedShape()),
  })

/** How many files of a session are shown. A project has more sessions than anybody requested. */
const MOST = 20

export const session = defineCommand({
  name: 'session',
  summary:
    'show the details of a session: messages, counts, tokens, and its entry in the session index of the client',
  details: 'That entry may be outdated. Sessions that appear only in the session index are shown too.',
  examples: [
    { command: 'scrollback session 640ab4c7', description: 'show a session by the beginning of its id' },
    { command: 'scrollback session latest', description: 'show the last session' },
    { command: 'scrollback session 640ab4c7 --json | jq .sessions[0].entry', description: 'for programs' },
  ],
  input: z.object({
    session: field.text({
      description: 'session id or the beginning of one, latest, or <project>:latest',
      positional: true,
    }),
    agent: filters.agent,
    ...identities,
  }),
  output,
  needs: 'messages',
  async run(given, context): Promise<z.output<ReturnType<typeof output>>> {
    const { session: wanted, agent } = given
    if (wanted === undefined)
      throw new ScrollbackError(
        'bad-option',
        'The session is missing.',
        `Use its id or a prefix of it, or show the last one: ${context.suggest('session', ['latest'])}`,
      )
    const loaded = loadSessions({ agent }, context, agent === undefined ? partOfNames([wanted]) : undefined)
    const named =
      sessionsOfId(loaded.sessions, wanted).length > 0
        ? []
        : sessionsOfId(loaded.named, wanted).slice(0, MOST)
    const { sessions, nameOf } =
      named.length > 0
        ? { sessions: [], nameOf: () => undefined }
        : await chosen(loaded, wanted, agent, context)
    const costOf = await costsOf(sessions, context)
    return {
      version: 1,
      sessions: sessions.map((each) => ({
        ...sessionJson(finishSession(withTexts(each, context), given.identities), nameOf(each)),
        cost: toBillionths(costOf(each)),
      })),
      named: named.map((each) => namedJson(each, given.identities)),
    }
  },
  *render({ sessions, named }, screen) {
    for (const [index, row] of sessions.entries()) yield* sessionText(row, index > 0, screen)
    for (const [index, row] of named.entries()) yield* namedText(row, index > 0, screen)
  },
})

async function chosen(loaded: Loaded, wanted: string, agent: string | undefined, context: Context) {
  const { sessions, by, nameOf } = await chooseNamed(loaded, { name: wanted, all: false, agent }, context)
  const ids = new Set(sessions.map(({ id }) => id))
  if (by !== 'id' && ids.size > 1)
    throw among(
      new ScrollbackError(
        'several-sessions',
        `"${wanted}" has ${ids.size} sessions.`,
        `List them: ${context.suggest('sessions', [wanted])}\nOr show the last one: ${context.suggest('session', [`${wanted}:latest`])}`,
      ),
      [...ids],
    )
  return { sessions: sessions.slice(0, MOST), nameOf }
}

type Row = z.output<ReturnType<typeof sessionShape>>
type Entry = z.output<ReturnType<typeof entryShape>>
type Line = readonly [name: string, text: string | undefined]

/** How many skills and files are named. */
const NAMED = 12

/** One session, one fact per line. */
function* sessionText(row: Row, again: boolean, screen: Screen): Generator<string> {
  const { entry, usage, messages, script } = row
  const agent = agentName(identityOf(row.platform), row.agent)
  yield* lines(
    row.title ?? '(no messages)',
    [
      ['Id', row.id],
      ['Agent', agent],
      ['Prompted', row.promptedBy && promptedWords(row.promptedBy, screen)],
      ['Kind', [row.kind ?? 'no messages', row.state, surfaceText(row)].filter(Boolean).join(', ')],
      [
        'Script',
        script &&
          `probably, ${Math.round(script.confidence * 100)} %: ${script.sessions} sessions open alike`,
      ],
      ['Machine', row.device],
      ['Person', row.person],
      ['Project', row.project ?? undefined],
      ['Folder', row.cwd ? homely(row.cwd, screen.home) : undefined],
      ['Time', `${moment(row.startedAt)} to ${moment(row.lastActivityAt)}`],
      [
        'File',
        `${homely(row.path, screen.home)}, ${readableBytes(row.bytes)}, ${counted(row.lines, 'line')}`,
      ],
      ['Cut', row.cut ? `${counted(row.cut, 'message')} by the client since, still in the store` : undefined],
      ['Gone', row.goneSince ? `since ${moment(row.goneSince)}; shown from the store` : undefined],
      [
        'Messages',
        `${grouped(messages.human)} human, ${grouped(messages.agent)} agent, ${counted(row.toolCalls, 'tool call')}, ${counted(row.errors, 'error')}`,
      ],
      ['First', row.firstHuman ?? row.firstProgram],
      ['Last', row.lastHuman.at(-1)],
      ['Model', row.model],
      [
        'Tokens',
        usage &&
          `${grouped(usage.input)} in, ${grouped(usage.output)} out${usage.reasoning ? ` (${grouped(usage.reasoning)} reasoning)` : ''}, ${grouped(usage.cacheRead)} from cache, ${grouped(usage.cacheWrite)} to cache${usage.cost ? `, $${usage.cost.toFixed(4)} recorded` : ''}`,
      ],
      ['Cost', row.cost == null ? undefined : `${dollars(row.cost)} at list price`],
      ['Parent', row.parent],
      ['Key', row.sessionKey],
      ...entryLines(entry),
    ],
    again,
    screen,
  )
  yield `\nRead it: ${screen.suggest('read', [screen.suggest.id(row.id)])}\n`
}

/** A session that appears only in a session index. */
function* namedText(row: NamedJson, again: boolean, screen: Screen): Generator<string> {
  yield* lines(
    row.title ?? row.id,
    [
      ['Id', row.id],
      ['Agent', agentName(identityOf(row.platform), row.agent)],
      ['Kind', row.kind ?? undefined],
      ['File', `named by ${homely(row.path, screen.home)}, no transcript here`],
      ['Key', row.sessionKey],
      ...entryLines(row.entry as Entry | undefined),
    ],
    again,
    screen,
  )
}

/** What the session index says, under its own field names. */
function entryLines(entry: Entry | undefined): Line[] {
  if (!entry) return []
  const { tokens, prompt, skills } = entry
  const files = prompt?.files?.map(({ name, characters }) =>
    characters === undefined ? name : `${name} ${grouped(characters)}`,
  )
  return [
    ['Updated', entry.updatedAt && `${moment(entry.updatedAt)}, by the index`],
    ['Next', [entry.provider, entry.model].filter(Boolean).join('/') || undefined],
    ['Status', entry.status],
    [
      'Last run',
      tokens &&
        Object.entries(tokens)
          .map(([name, count]) => `${name} ${grouped(count)}`)
          .join(', '),
    ],
    ['Skills', skills && `${skills.length}: ${some(skills)}`],
    [
      'Prompt',
      prompt &&
        [
          prompt.total === undefined ? '' : `${grouped(prompt.total)} characters in the system prompt`,
          prompt.tools === undefined ? '' : counted(prompt.tools, 'tool'),
          prompt.toolCharacters === undefined ? '' : `${grouped(prompt.toolCharacters)} of tools`,
          prompt.skillCharacters === undefined ? '' : `${grouped(prompt.skillCharacters)} of skills`,
        ]
          .filter(Boolean)
          .join(', '),
    ],
    ['Files', files && some(files)],
  ]
}

const promptedWords = (prompts: NonNullable<Row['promptedBy']>, { suggest }: Screen): string => {
  const [first] = prompts
  const { agent, session } = first!.by
  return `by ${agent} in ${suggest.id(session)} (line ${first!.by.line})${prompts.length > 1 ? `, ${prompts.length} prompts` : ''}`
}

const some = (names: readonly string[]): string =>
  `${names.slice(0, NAMED).join(', ')}${names.length > NAMED ? `, and ${names.length - NAMED} more` : ''}`

const moment = (iso: string | null): string => (iso === null ? '-' : dated(Date.parse(iso)))

function* lines(
  title: string,
  facts: readonly Line[],
  again: boolean,
  { columns }: Screen,
): Generator<string> {
  yield `${again ? '\n' : ''}${cutTo(shownLine(title), columns)}\n`
  for (const [name, text] of facts)
    if (text) yield `${cutTo(`  ${name.padEnd(9)} ${shownLine(text)}`, columns)}\n`
}
