import { join } from 'node:path'
import * as z from 'zod/mini'
import { createIntake, TooLarge } from '../collect/receive/intake.ts'
import { KnownRecords, readKnownRecords } from '../collect/receive/known-records.ts'
import { ScrollbackError } from '../errors.ts'
import { normalAddress, openSink } from '../sinks/index.ts'
import { type Sink, SinkError } from '../sinks/sink.ts'
import { sinkContext } from './collect-run.ts'
import { sizeOf } from './collect-settings.ts'
import { type Context, defineCommand } from './command.ts'
import { field } from './fields.ts'
import type { Listening } from './listening.ts'
import { tokenOf } from './receive-token.ts'
import { counted, homely } from './table.ts'

const PORT = 7788
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/

const input = z.object({
  destination: field.text({ description: 'file:<dir>, where they are kept', positional: true }),
  port: field.count({ description: `port to listen on (${PORT}); 0: any that is free`, placeholder: 'n' }),
  host: field.textOr('127.0.0.1', {
    description: 'address to listen on; others than this machine reach only another one',
    placeholder: 'host',
  }),
  name: field.text({
    description: 'what others call this machine, beside its own name',
    placeholder: 'host',
  }),
  tokenEnv: field.text({ description: 'environment variable that holds the token', placeholder: 'name' }),
  tokenFile: field.text({ description: 'file that holds the token, yours alone', placeholder: 'file' }),
  maxBody: field.textOr('20MB', { description: 'bytes of a request at most (20MB)', placeholder: 'size' }),
  maxRecord: field.textOr('2MB', { description: 'bytes of a record at most (2MB)', placeholder: 'size' }),
})

type Input = z.output<typeof input>

const output = () =>
  z.object({
    version: z.literal(1),
    folder: z.string(),
    requests: z.number(),
    accepted: z.number(),
    repeated: z.number(),
    rejected: z.number(),
  })

type Answer = z.output<ReturnType<typeof output>>

export const receive = defineCommand({
  stays: true,
  name: 'receive',
  summary: 'take records that "collect" delivers over HTTP, and keep them in a directory',
  details:
    'Runs until it is stopped with Ctrl-C. A request is answered when its records are on the disk. Every command reads the directory with ' +
    '--from <dir>. Only this machine reaches it unless --host says otherwise.',
  examples: [
    { command: 'scrollback receive', tells: 'with a token of its own; it prints how to deliver to it' },
    {
      command: 'scrollback receive file:/backup/team --token-env TEAM_TOKEN',
      tells: 'into a directory of your choice, with a token of yours',
    },
    { command: 'scrollback sessions --all --from /backup/team', tells: 'what was received' },
  ],
  input,
  output,
  run: (given, context) => received(given, context),
  *render({ folder, requests, accepted, repeated, rejected }, screen) {
    yield `Received ${counted(accepted, 'record')} in ${counted(requests, 'request')} into ${homely(folder, screen.home)}`
    yield `${repeated > 0 ? `; ${repeated} repeated` : ''}${rejected > 0 ? `; ${rejected} rejected` : ''}.\n`
  },
})

async function received(given: Input, context: Context): Promise<Answer> {
  const { listen, stop, note } = context
  if (!listen)
    throw new ScrollbackError('bad-option', 'Nothing can be received from here.', 'Run: scrollback receive')
  const maxBody = sizeOf('max-body', given.maxBody) ?? 0
  const maxRecord = sizeOf('max-record', given.maxRecord) ?? 0
  const folder = folderOf(given, context)
  const { token, hint } = tokenOf(given, context)
  const sink = await opened(folder, context)
  for (const damage of sink.notes ?? []) note(damage, 'partly')
  const known = new KnownRecords()
  const totals: Answer = { version: 1, folder, requests: 0, accepted: 0, repeated: 0, rejected: 0 }
  const intake = createIntake({ sink, known, maxRecord })
  let listening: Listening | undefined
  try {
    readKnownRecords(folder, known)
    listening = await start(async (lines, packed) => {
      try {
        const answer = await intake.take(lines, packed)
        totals.requests++
        totals.accepted += answer.accepted
        totals.repeated += answer.repeated
        totals.rejected += answer.rejected.length
        if (known.full) note('There are too many records to remember: what comes twice is kept twice.')
        const told = { ...answer, archive: sink.archive?.()?.id, holds: known.size }
        return { answer: told, partly: answer.rejected.length > 0 }
      } catch (error) {
        if (error instanceof TooLarge) return 'too-large'
        throw error
      }
    })
    const { host, port } = listening
    const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/v1/records`
    note(
      `Receiving into ${folder}, which holds ${counted(known.size, 'record')}. Ctrl-C ends it. To deliver to it:`,
    )
    note(`scrollback collect ${address} ${hint}`)
    if (!LOOPBACK.test(host))
      note(
        `${host} can be reached by others, and what they send can be read on its way: put a server with TLS before it.`,
      )
    await ended(stop)
  } finally {
    await listening?.close()
    await sink.close?.()
  }
  return totals

  async function start(take: Parameters<NonNullable<typeof listen>>[0]['take']): Promise<Listening> {
    const { host, port = PORT, name } = given
    const names = [context.machine.device, host, ...(name === undefined ? [] : [name])].map((each) =>
      each.toLowerCase(),
    )
    try {
      return await listen!({
        host,
        port,
        token,
        names,
        maxBody,
        take,
        fault: (message) => note(message, 'partly'),
      })
    } catch (error) {
      throw new ScrollbackError(
        'unreadable',
        `${host}:${port} cannot be listened on (${(error as NodeJS.ErrnoException).code}).`,
        'Choose another with --port or --host.',
        error,
      )
    }
  }
}

function folderOf({ destination }: Input, { dataFolder, environment, directory }: Context): string {
  const address = destination ?? `file:${join(dataFolder, 'received')}`
  const normal = normalAddress(address, { home: environment.home, directory })
  if (normal.startsWith('file:')) return normal.slice('file:'.length)
  throw new ScrollbackError(
    'bad-option',
    `${address}: what is received is kept in a directory`,
    'Name one: scrollback receive file:~/received',
  )
}

async function opened(folder: string, context: Context): Promise<Sink> {
  try {
    return await openSink(`file:${folder}`, {}, sinkContext(context))
  } catch (error) {
    if (error instanceof SinkError)
      throw new ScrollbackError('unreadable', error.message, error.wayOut, error)
    throw error
  }
}

const ended = (stop: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (!stop || stop.aborted) return resolve()
    stop.addEventListener('abort', () => resolve(), { once: true })
  })
