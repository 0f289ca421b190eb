import { join } from 'node:path'
import * as z from 'zod/mini'
import { defineCommand } from '../../context/command.ts'
import type { Context, Listening, Machine, Output, Reports, Storage } from '../../context/context.ts'
import { field } from '../../context/flags.ts'
import { createIntake, KnownRecords, readKnownRecords, TooLarge } from '../../deliver/receive/intake.ts'
import { ScrollbackError } from '../../errors.ts'
import { contentsOf } from '../../io/archive/contents.ts'
import { counted, homely } from '../../render/table.ts'
import { normalAddress, openSink } from '../../sinks/index.ts'
import { type Sink, SinkError } from '../../sinks/sink.ts'
import { stopped, tokenOf } from '../server.ts'
import { sinkContext, sizeOf } from './sinks.ts'

const PORT = 7788
const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/

const input = z.object({
  destination: field.text({ description: 'file:<dir> to archive them in', positional: true }),
  port: field.port({ description: `port to listen on (${PORT}); 0 chooses a free one`, placeholder: 'n' }),
  host: field.textOr('127.0.0.1', {
    description: 'address to listen on; other machines cannot reach the default',
    placeholder: 'host',
  }),
  name: field.text({
    description: 'another name of this machine, by which senders reach it',
    placeholder: 'host',
  }),
  tokenEnv: field.text({ description: 'read the token from this environment variable', placeholder: 'name' }),
  tokenFile: field.text({
    description: 'read the token from this file, which only you may read',
    placeholder: 'file',
    path: 'file',
  }),
  maxBody: field.textOr('20MB', { description: 'largest request (20MB)', placeholder: 'size' }),
  maxRecord: field.textOr('2MB', { description: 'largest record (2MB)', placeholder: 'size' }),
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
  summary: 'receive records that "collect" delivers over HTTP, and archive them in a directory',
  details:
    'Runs until Ctrl-C. It answers a request once the records are on disk. Every command reads the directory with --from <dir>. Only this ' +
    'machine can reach it unless you set --host.',
  examples: [
    { command: 'scrollback receive', description: 'create a token, and print how to deliver to it' },
    {
      command: 'scrollback receive file:/backup/team --token-env TEAM_TOKEN',
      description: 'use a directory and a token of your own',
    },
    { command: 'scrollback sessions --all --from /backup/team', description: 'list the received sessions' },
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
    throw new ScrollbackError('bad-option', 'receive: not available here.', 'Run: scrollback receive')
  const maxBody = sizeOf('max-body', given.maxBody) ?? 0
  const maxRecord = sizeOf('max-record', given.maxRecord) ?? 0
  const folder = folderOf(given, context)
  const { token, hint } = tokenOf(given, 'receive-token', context)
  const sink = await opened(folder, context)
  for (const damage of sink.notes ?? []) note(damage, 'partly')
  const known = new KnownRecords()
  const totals: Answer = { version: 1, folder, requests: 0, accepted: 0, repeated: 0, rejected: 0 }
  const intake = createIntake({ sink, known, forgotten: new Set(sink.forgotten), maxRecord })
  const removed = forgottenRecords(folder)
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
        if (known.full) note('Too many records to detect every duplicate: duplicates may be stored twice.')
        const result = { ...answer, archive: sink.archive?.()?.id, holds: known.size + removed }
        return { answer: result, partly: answer.rejected.length > 0 }
      } catch (error) {
        if (error instanceof TooLarge) return 'too-large'
        throw error
      }
    })
    const { host, port } = listening
    const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/v1/records`
    note(
      `Receiving into ${folder}, which contains ${counted(known.size, 'record')}. Press Ctrl-C to stop. To deliver to it:`,
    )
    note(`scrollback collect ${address} ${hint}`)
    if (!LOOPBACK.test(host))
      note(
        `${host} is reachable from other machines, and HTTP is not encrypted: put a TLS proxy in front of it.`,
      )
    await stopped(stop)
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
        `${host}:${port} is not available (${(error as NodeJS.ErrnoException).code}).`,
        'Choose another port or address with --port or --host.',
        error,
      )
    }
  }
}

function folderOf({ destination }: Input, { dataFolder, environment, directory }: Machine & Storage): string {
  const address = destination ?? `file:${join(dataFolder, 'received')}`
  const normal = normalAddress(address, { home: environment.home, directory })
  if (normal.startsWith('file:')) return normal.slice('file:'.length)
  throw new ScrollbackError(
    'bad-option',
    `${address}: unsupported destination, because received records go into a directory`,
    'Name one: scrollback receive file:~/received',
  )
}

async function opened(folder: string, context: Machine & Reports & Output): Promise<Sink> {
  try {
    return await openSink(`file:${folder}`, {}, sinkContext(context))
  } catch (error) {
    if (error instanceof SinkError)
      throw new ScrollbackError('unreadable', error.message, error.wayOut, error)
    throw error
  }
}

/**
 * How many records were forgotten. They count, because collectors take an archive with fewer records for
 * another one.
 */
const forgottenRecords = (folder: string): number =>
  (contentsOf(folder).manifest?.forgotten?.segments ?? []).reduce((sum, { removed }) => sum + removed, 0)
