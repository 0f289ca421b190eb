import * as z from 'zod/mini'
import { defineCommand } from '../context/command.ts'
import type { Context } from '../context/context.ts'
import { isoTime } from '../context/time.ts'
import { asObject, asText } from '../model/json.ts'
import { identities } from '../platforms/identities.ts'
import { framed } from '../render/frame.ts'
import { bagOf } from '../search/bag.ts'
import { parseQuery } from '../search/query.ts'
import type { SearchHit } from '../store/search.ts'
import type { StoredMessage } from '../store/stored.ts'
import { shownText } from './search/answer.ts'
import { ask, type Found } from './search/ask.ts'

/** The client whose hook it answers. */
const client = identities.find(({ recallHook }) => recallHook !== undefined)!

/**
 * When history answers a prompt: its best passage contains words of this weight, no other session is nearly
 * as good, and the prompt has so many words. `bench/recall.ts` measures how often the best session is then
 * right: 95 of 100 times, of questions that some session answers.
 */
export const LEAST_SHARE = 0.7
export const LEAST_LEAD = 1.2
export const LEAST_WORDS = 3
/** Passages of the best session, characters of a message and of its neighbors, and characters of a prompt. */
const PASSAGES = 3
const LONGEST = 1200
const LONGEST_NEIGHBOR = 400
const LONGEST_PROMPT = 2000

const lineShape = () => z.object({ who: z.string(), at: z.nullable(z.string()), text: z.string() })

const passageShape = () =>
  z.object({
    cite: z.string(),
    ...lineShape().shape,
    before: z.array(lineShape()),
    after: z.array(lineShape()),
  })

const output = () =>
  z.object({
    version: z.literal(1),
    /** The session that answers the prompt. `null` if none surely does. */
    session: z.nullable(z.string()),
    project: z.nullable(z.string()),
    title: z.nullable(z.string()),
    passages: z.array(passageShape()),
  })

type Recalled = z.output<ReturnType<typeof output>>

const NOTHING: Recalled = { version: 1, session: null, project: null, title: null, passages: [] }

export const recall = defineCommand({
  name: 'recall',
  summary: `answer the hook of ${client.name} with what earlier sessions say about a prompt`,
  details:
    `Reads the JSON that ${client.name} writes to a hook of prompts, and prints at most three passages of the session that answers the prompt: ` +
    'who, when, the messages around, and what to read on with. It prints nothing unless one session is clearly the best, ' +
    `so most prompts get nothing. The session of the prompt itself is left out. \`scrollback setup ${client.short} --recall\` adds the hook.`,
  examples: [
    {
      command: `echo '{"prompt":"when did we move to postgres"}' | scrollback recall`,
      description: 'see what the hook would add',
    },
  ],
  input: z.object({}),
  output,
  onlyRedacted: { because: 'what it prints goes to a model' },
  needs: 'words',
  async run(_, context): Promise<Recalled> {
    const hook = hookIn(await (context.standardInput?.() ?? ''))
    const query = hook && questionIn(hook.prompt, context)
    return query === undefined ? NOTHING : recalled(await askFor(query, context), hook!.session)
  },
  *render(answer) {
    if (answer.passages.length > 0)
      yield `From earlier sessions on this machine, found by the words of the prompt. They may have nothing to do with it.\n${framed(answer)}\n`
  },
})

/** What a hook was given. Undefined if it is no JSON with a prompt. */
function hookIn(text: string): { prompt: string; session: string | undefined } | undefined {
  try {
    const given = asObject(JSON.parse(text))
    const prompt = asText(given?.prompt)
    return prompt === undefined ? undefined : { prompt, session: asText(given?.session_id) }
  } catch {
    return undefined
  }
}

/** The words of a prompt. Undefined if they are too few, or the prompt is no sentence, such as a command. */
function questionIn(prompt: string, { now }: Pick<Context, 'now'>): string | undefined {
  if (prompt.length > LONGEST_PROMPT || /^\s*[/!#]/.test(prompt)) return undefined
  const words = prompt
    .replace(/[^\p{L}\p{M}\p{N}'’-]+/gu, ' ')
    .replace(/(?<!\S)-+/g, '')
    .trim()
  const bag = bagOf(parseQuery(words, now, () => undefined))
  return bag?.isSentence && bag.words.length >= LEAST_WORDS ? words : undefined
}

const askFor = (words: string, context: Context): Promise<Found> =>
  ask(
    {
      query: [words],
      limit: HITS,
      context: 2,
      sort: 'relevance',
      flat: false,
      pick: false,
      raw: false,
    },
    context,
    // The limits above are those of words.
    'words',
  )

/** Hits that are compared. The best of each session come first. */
const HITS = 90

function recalled(found: Found, current: string | undefined): Recalled {
  const { words } = found.answer
  const rows = new Map<string, string>()
  const hits = [...Iterator.from(found.answer.hits).take(found.limit)].filter((hit) => {
    const row = found.rowsOf([hit]).get(hit.path)
    const id = row && (found.parentOf(row) ?? row).session.id
    rows.set(hit.path, id ?? hit.session)
    return id !== current
  })
  const [best] = hits
  if (!words || !best) return NOTHING
  const own = rows.get(best.path)
  const next = hits.find(({ path }) => rows.get(path) !== own)
  const share = words.in(best)?.share ?? 0
  if (share < LEAST_SHARE || (next && best.score < next.score * LEAST_LEAD)) return NOTHING
  const passages = hits.filter(({ path }) => rows.get(path) === own).slice(0, PASSAGES)
  const row = found.rowsOf([best]).get(best.path)
  return {
    version: 1,
    session: best.session,
    project: best.project ?? null,
    title: row?.session.title?.slice(0, LONGEST_NEIGHBOR) ?? null,
    passages: passages.map((hit) => passageOf(hit, found)),
  }
}

function passageOf(hit: SearchHit, found: Found): Recalled['passages'][number] {
  const around = found.around?.(hit)
  return {
    cite: `${hit.session}:${hit.line}`,
    ...lineOf(hit, LONGEST),
    before: (around?.before ?? []).map((each) => lineOf(each, LONGEST_NEIGHBOR)),
    after: (around?.after ?? []).map((each) => lineOf(each, LONGEST_NEIGHBOR)),
  }
}

function lineOf(message: StoredMessage, most: number): z.output<ReturnType<typeof lineShape>> {
  const text = shownText(message)
  const cut = text.length > most ? `${text.slice(0, most - 1)}…`.toWellFormed() : text
  return { who: message.who, at: isoTime(message.at), text: cut }
}
