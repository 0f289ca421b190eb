import { resolve } from 'node:path'
import { confirm, defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { freshStore, nothingYet } from '../../context/fresh-store.ts'
import { ScrollbackError } from '../../errors.ts'
import { createEncoder } from '../../meaning/encoder.ts'
import { counted } from '../../render/table.ts'
import { exposesToken } from '../../sinks/http-request.ts'
import { SinkError } from '../../sinks/sink.ts'
import { IN_MEMORY } from '../../store/sqlite/open.ts'
import { asOnlyWriter, type Store } from '../../store/store.ts'
import type { Encoder, Vectors } from '../../store/vectors.ts'
import { answerOf, EXAMPLE, type Input, input, type MeaningAnswer, meaningLines, output } from './answer.ts'

export const meaning = defineCommand({
  name: 'meaning',
  summary: 'search sentences also by meaning, with an encoder of your own',
  details:
    'Off by default. An encoder is a program that turns texts into vectors, at an address that speaks the OpenAI form of embeddings: ' +
    'Ollama, LM Studio, llama.cpp, or a server of your company. The texts of people and agents are sent to this address and to no other, ' +
    'as the store has them: without secrets. Their vectors are stored next to the messages, by "index", "serve" and "mcp". ' +
    'Then "search" ranks sentences by words and by meaning, and says of each session why it is there. Another model starts anew. Not in a team store.',
  examples: [
    {
      command: `scrollback meaning on --endpoint ${EXAMPLE.endpoint} --model ${EXAMPLE.model}`,
      description: 'turn it on, with Ollama on this machine',
    },
    {
      command:
        'scrollback meaning on --endpoint https://models.example.org/v1 --model bge-m3 --token-env MODELS_TOKEN',
      description: 'the same with a server of your company',
    },
    {
      command: 'scrollback meaning',
      description: 'show the model, how much is done, its cost and its last error',
    },
    { command: 'scrollback meaning off', description: 'turn it off and delete the vectors' },
  ],
  input,
  output,
  onlyRedacted: { because: 'the store contains no secrets' },
  check: checkFlags,
  async run(given, context): Promise<MeaningAnswer> {
    checkFlags(given)
    const { store, vectors } = openStore(given, context)
    if (given.action === 'on') return turnedOn(given, store, vectors, context)
    if (given.action === 'off' && !given.dryRun && vectors.set() !== undefined) {
      const { done } = vectors.counts()
      if (done > 0) await confirm(`Delete ${counted(done, 'vector')}?`, given, context)
      changed(store, () => vectors.end())
    }
    return answerOf(vectors, given)
  },
  render: meaningLines,
  searchesValues: true,
})

/** Refuses flags that an action does not take, and an address that is not complete. */
function checkFlags({ action, endpoint, model, tokenEnv, tokenFile, dryRun, yes }: Input): void {
  const given = Object.entries({ endpoint, model, 'token-env': tokenEnv, 'token-file': tokenFile })
  const [extra] = given.find(([, value]) => value !== undefined && action !== 'on') ?? []
  const refused =
    extra ?? (yes && action !== 'off' ? 'yes' : dryRun && action === 'status' ? 'dry-run' : undefined)
  if (refused !== undefined)
    throw new ScrollbackError(
      'bad-option',
      `--${refused}: not with "meaning ${action}"`,
      'See: scrollback meaning --help',
    )
  if (action !== 'on') return
  for (const [name, value] of [
    ['endpoint', endpoint],
    ['model', model],
  ])
    if (value === undefined || value.trim() === '')
      throw new ScrollbackError(
        'bad-option',
        `--${name} is missing`,
        `For example: scrollback meaning on --endpoint ${EXAMPLE.endpoint} --model ${EXAMPLE.model}`,
      )
  addressOf(endpoint!)
}

/** The address without a slash at its end. Throws a `ScrollbackError` unless it is one, without secrets. */
function addressOf(endpoint: string): string {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.hostname === '')
    throw new ScrollbackError(
      'bad-option',
      '--endpoint: not the address of a server',
      `Give it in full, for example: ${EXAMPLE.endpoint}`,
    )
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new ScrollbackError(
      'bad-option',
      '--endpoint: the address has a name, a password, a query or a fragment, which would be stored as it is',
      'Give a token with --token-env or --token-file, and the address without them.',
    )
  return url.href.replace(/\/+$/, '').replace(/\/embeddings$/, '')
}

function openStore({ action, dryRun }: Input, context: Context): { store: Store; vectors: Vectors } {
  const { store, found } = freshStore(context)
  if (!store.vectors || (action === 'on' && store.path === IN_MEMORY))
    throw new ScrollbackError(
      'bad-option',
      'meaning: this store cannot keep vectors.',
      'Run it without --store, --from and --demo.',
    )
  if (action === 'status' || dryRun) return { store, vectors: store.vectors }
  if (found.obstacle === 'busy') throw nothingYet()
  if (store.readOnly)
    throw new ScrollbackError(
      'store-unreadable',
      `The store ${store.path} is read-only, so nothing can be changed in it.`,
      'Run the command as a user who may write to it.',
    )
  return { store, vectors: store.vectors }
}

/** Changes the store as its only writer. */
function changed(store: Store, change: () => void): void {
  const done = asOnlyWriter(store, () => {
    change()
    return true
  })
  if (!done) throw nothingYet()
}

async function turnedOn(
  given: Input,
  store: Store,
  vectors: Vectors,
  context: Context,
): Promise<MeaningAnswer> {
  const { model, tokenEnv, tokenFile } = given
  const encoder: Encoder = {
    endpoint: addressOf(given.endpoint!),
    model: model!.trim(),
    ...(tokenEnv === undefined ? {} : { tokenEnv }),
    ...(tokenFile === undefined ? {} : { tokenFile: resolve(context.here, tokenFile) }),
  }
  if (given.dryRun)
    return { ...answerOf(vectors, given, encoder), endpoint: encoder.endpoint, model: encoder.model }
  if (exposesToken(encoder.endpoint))
    context.note(
      `${new URL(encoder.endpoint).host}: not encrypted, so others can read what is sent. Use https, or a tunnel.`,
    )
  await tryOut(encoder, context)
  changed(store, () => vectors.begin(encoder, context.now))
  return answerOf(vectors, given)
}

/** Throws a `ScrollbackError` unless the encoder answers. It gets a text that is nobody's. */
async function tryOut(encoder: Encoder, { environment }: Context): Promise<void> {
  let client: ReturnType<typeof createEncoder> | undefined
  try {
    client = createEncoder(encoder, environment.variables)
    await client.encode(['hello'], 'message')
  } catch (error) {
    if (!(error instanceof SinkError)) throw error
    throw new ScrollbackError(
      'unreadable',
      `Search by meaning was not turned on. ${error.message}`,
      error.wayOut ?? 'Start the encoder, or correct --endpoint and --model.',
      error,
    )
  } finally {
    client?.close()
  }
}
