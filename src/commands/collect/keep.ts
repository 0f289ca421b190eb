import { existsSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { checkedInput, defineCommand } from '../../context/command.ts'
import type { Context } from '../../context/context.ts'
import { field } from '../../context/flags.ts'
import { isoTime } from '../../context/time.ts'
import { isArchive, type OwnArchive, ownArchives } from '../../deliver/archive/own-archives.ts'
import { ScrollbackError } from '../../errors.ts'
import { bytesBelow } from '../../io/directories.ts'
import { readOwn, writePrivateFile } from '../../io/own-files.ts'
import type { Session } from '../../model/session.ts'
import { counted, homely, readableBytes } from '../../render/table.ts'
import type { Screen } from '../../render/terminal.ts'
import { dated } from '../../render/text.ts'
import { loadSessions } from '../../selection/load-sessions.ts'
import { rememberRetention, vanishing } from '../../selection/vanishing.ts'
import { areWanted, type Step as Steps, stepShape, stepText } from '../steps.ts'
import { collect, input as collectInput } from './command.ts'
import { type Service, serviceFlags, serviceHere } from './service.ts'

const KINDS = ['archive', 'write', 'delete', 'run'] as const

const output = () =>
  z.object({
    version: z.literal(1),
    archive: z.object({
      path: z.string(),
      /** What it takes on the disk. */
      bytes: z.number(),
      /** When it last got something, or `null`. */
      deliveredAt: z.nullable(z.string()),
    }),
    /** The file of the service that keeps it current, and whether it is running, if that can be asked. */
    service: z.nullable(
      z.object({ path: z.string(), installed: z.boolean(), running: z.nullable(z.boolean()) }),
    ),
    /** What clients delete within a week, and how much of it is in an archive. */
    vanishing: z.object({ sessions: z.number(), archived: z.number() }),
    /** The days after which clients delete transcripts, as the user stated. Null: each has its default. */
    retention: z.nullable(z.number()),
    steps: z.array(stepShape(KINDS)),
  })

type Answer = z.output<ReturnType<typeof output>>
type Step = Steps<(typeof KINDS)[number]>

const input = z.object({
  to: field.text({
    description: 'the directory of the archive; by default "archive" in the data directory',
    placeholder: 'dir',
    path: 'dir',
  }),
  status: field.flag({ description: 'only print its progress' }),
  off: field.flag({ description: 'stop and remove the service; the archive stays' }),
  remember: field.flag({
    description:
      'only state --retention for every later command; without it, clients have their defaults again',
  }),
  dryRun: field.flag({ description: 'only print what it would do' }),
  yes: field.flag({ description: 'do not ask' }),
})

/** The archive of everything, and the service that keeps it current. */
export const keep = defineCommand({
  stays: true,
  name: 'keep',
  summary: 'keep every session for good: an archive, and a service that keeps it current',
  details:
    'Clients delete transcripts, most of them after 30 days. This archives everything that is on this machine now, with the outputs of ' +
    'tools, and installs a service of yours that archives what is written from then on. Secrets are redacted. `restore` puts a deleted ' +
    'session back, and `--from` reads the archive.\n\n' +
    'The settings of a client may contain keys, so they are never opened, and each client is assumed to keep transcripts as long as ' +
    'it does by default. State the days of yours with --remember --retention: the status line, the page, "doctor" and the start ' +
    'page then use them.',
  examples: [
    {
      command: 'scrollback keep --dry-run',
      description: 'print what it would do, and the disk space it needs',
    },
    { command: 'scrollback keep --yes', description: 'do it without asking' },
    {
      command: 'scrollback keep --to /backup/agents',
      description: 'archive into a directory of your choice',
    },
    { command: 'scrollback keep --status', description: 'print its progress' },
    { command: 'scrollback keep --off', description: 'stop the service again' },
    {
      command: 'scrollback keep --remember --retention 90',
      description: 'state that your clients delete transcripts after 90 days',
    },
  ],
  input,
  output,
  needs: 'messages',
  isWhole: true,
  async run(given, context): Promise<Answer> {
    const { globalFlags, remote } = context
    if (globalFlags?.demo || globalFlags?.from !== undefined || remote)
      throw new ScrollbackError(
        'bad-option',
        'keep archives only the sessions of this machine.',
        'Drop --demo, --from and --store.',
      )
    if (given.remember && given.off)
      throw new ScrollbackError('bad-option', '--remember does not go with --off.', 'Give one of them.')
    if (given.remember && !given.dryRun) rememberRetention(context.dataFolder, context.retentionDays)
    const { sessions } = loadSessions({}, context)
    const archives = (): OwnArchive[] => ownArchives(context.dataFolder, { files: true })
    const before = archives()
    const archive =
      given.to === undefined
        ? (before[0]?.path ?? join(context.dataFolder, 'archive'))
        : resolve(context.here, given.to)
    if (before.some(({ path }) => path === archive) && !isArchive(archive))
      context.note(
        `${archive} had records and is no archive that can be read now. Mount its disk or fix its rights. If it is lost, fill it again: ${byHand(archive, context, '--redeliver')}`,
        'partly',
      )
    const service = serviceHere(serviceFlags(collectInput, deliveryTo(archive), context), context)
    const manager = await asked(service, context)
    const steps =
      given.status || given.remember
        ? []
        : given.off
          ? stopSteps(service, manager)
          : startSteps(archive, sessions, service, manager, context)
    const isDone =
      steps.length > 0 &&
      !given.dryRun &&
      (await areWanted(
        steps,
        given.off ? 'Stop keeping the sessions?' : 'Keep all sessions like this?',
        given.yes,
        context,
      ))
    const done = isDone ? await inTurn(steps, archive, service, context) : steps
    if (done.some(({ state }) => state === 'failed')) context.partly?.()
    const after = isDone ? archives() : before
    const { soon, stated } = vanishing(sessions, context)
    const filled = after.find(({ path }) => path === archive)?.deliveredMs
    const { state } = isDone ? await asked(service, context) : manager
    return {
      version: 1,
      archive: {
        path: archive,
        bytes: existsSync(archive) ? bytesBelow(archive) : 0,
        deliveredAt: isoTime(filled),
      },
      service:
        service === undefined
          ? null
          : {
              path: service.path,
              installed: existsSync(service.path),
              running: state === 'running' || (state === 'idle' || state === 'none' ? false : null),
            },
      vanishing: {
        sessions: soon.length,
        archived: soon.filter((each) => each.archive !== undefined).length,
      },
      retention: stated ?? null,
      steps: done,
    }
  },
  isVerbatim: () => true,
  *render(answer, screen) {
    yield* keepText(answer, screen)
  },
})

/** The flags of the delivery: everything, with what `restore` needs. */
const deliveryTo = (archive: string) =>
  checkedInput(collect, { destination: [`file:${archive}`], history: 'all', toolResults: true })

/** What the service runs. */
const byHand = (
  archive: string,
  { suggest }: Pick<Context, 'suggest'>,
  last: '--watch' | '--redeliver' = '--watch',
): string => suggest('collect', [`file:${archive}`], '--history=all', '--tool-results', last)

/** Larger files are no units of ours. */
const MOST = 64 * 1024

/** What the service manager says about the service. `why`: the reason that it cannot be asked. */
interface Asked {
  state: ReturnType<Service['stateOf']>
  why?: string | undefined
}

async function asked(service: Service | undefined, { pipe }: Context): Promise<Asked> {
  if (!service) return { state: 'absent' }
  if (!pipe) return { state: 'absent' }
  const { ended, code, errors } = await pipe(service.asks, '', LIMITS)
  if (ended === 'missing') return { state: 'absent' }
  return { state: service.stateOf(code), why: lastLine(errors) }
}

const lastLine = (text: string): string | undefined => text.trim().split('\n').at(-1) || undefined

function startSteps(
  archive: string,
  sessions: readonly Session[],
  service: Service | undefined,
  { state, why }: Asked,
  context: Context,
): Step[] {
  const deliver: Step = { what: 'archive', path: archive, state: 'planned', why: extentOf(sessions) }
  if (!service || state === 'absent') {
    const reason = why === undefined ? '' : `: ${why}`
    const none = `no service manager is here${reason}; keep this running yourself: ${byHand(archive, context)}`
    const command = [service?.asks[0] ?? 'service']
    return [deliver, { what: 'run', command, state: 'unchanged', why: none }]
  }
  const there = readOwn(service.path, MOST)
  const write: Step = there?.equals(service.content)
    ? { what: 'write', path: service.path, state: 'unchanged', why: 'is there already' }
    : {
        what: 'write',
        path: service.path,
        state: 'planned',
        ...(there ? { why: 'replaces another one' } : {}),
      }
  return [deliver, write, ...planned(service.start(state !== 'none'))]
}

/** How much is archived: what is on the disk. Of a file that is gone or empty there is nothing to archive. */
function extentOf(sessions: readonly Session[]): string {
  const there = sessions.filter(({ goneMs }) => goneMs === undefined)
  const whole = there.filter(({ bytes }) => bytes > 0)
  const size = readableBytes(whole.reduce((sum, { bytes }) => sum + bytes, 0))
  const without = [
    ...(there.length < sessions.length ? [`${sessions.length - there.length} whose file is gone`] : []),
    ...(whole.length < there.length ? [`${there.length - whole.length} whose file is empty`] : []),
  ]
  const rest = without.length > 0 ? `; without ${without.join(' and ')}` : ''
  return `${counted(whole.length, 'session')}, ${size} before compression${rest}`
}

function stopSteps(service: Service | undefined, { state }: Asked): Step[] {
  const isStarted = state === 'running' || state === 'known'
  if (!service || !(isStarted || existsSync(service.path)))
    return [{ what: 'delete', path: service?.path ?? '', state: 'unchanged', why: 'no service is installed' }]
  return [
    ...(isStarted || state === 'idle' ? planned(service.stop) : []),
    { what: 'delete', path: service.path, state: 'planned' },
  ]
}

const planned = (commands: readonly string[][]): Step[] =>
  commands.map((command) => ({ what: 'run', command, state: 'planned' }))

/** A step that fails ends the others: a service without its file cannot start. */
async function inTurn(
  steps: readonly Step[],
  archive: string,
  service: Service | undefined,
  context: Context,
): Promise<Step[]> {
  const done: Step[] = []
  for (const step of steps) {
    const isBroken =
      step.what === 'run' && done.some(({ what, state }) => what !== 'archive' && state === 'failed')
    done.push(isBroken ? step : await doStep(step, archive, service, context))
  }
  return done
}

const LIMITS = { milliseconds: 60_000, bytes: 64 * 1024 }

async function doStep(
  step: Step,
  archive: string,
  service: Service | undefined,
  context: Context,
): Promise<Step> {
  if (step.state !== 'planned') return step
  try {
    if (step.what === 'archive') {
      const { destinations } = await collect.run(deliveryTo(archive), context)
      const [report] = destinations ?? []
      if (report?.error != null) return { ...step, state: 'failed', why: report.error }
      return { ...step, state: 'done', why: `${counted(report?.records ?? 0, 'new record')}` }
    }
    if (step.what === 'write') {
      writePrivateFile(step.path!, service!.content)
    } else if (step.what === 'delete') rmSync(step.path!, { force: true })
    else {
      const ended = await context.pipe?.(step.command!, '', LIMITS)
      if (ended?.code !== 0)
        return { ...step, state: 'failed', why: lastLine(ended?.errors ?? '') ?? 'it failed' }
    }
    return { ...step, state: 'done' }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { ...step, state: 'failed', why: error.message }
  }
}

const isStart = (steps: readonly Step[]): boolean => steps.some(({ what }) => what === 'archive')

function* keepText(
  { archive, service, vanishing: soon, retention, steps }: Answer,
  { home, suggest }: Screen,
): Generator<string> {
  for (const step of steps) yield `${stepText(step, home)}\n`
  if (steps.some(({ state }) => state === 'planned') && steps.every(({ state }) => state !== 'done')) {
    const again = isStart(steps)
      ? suggest('keep', `--to=${archive.path}`, '--yes')
      : suggest('keep', '--off', '--yes')
    yield `\nNothing was changed. To do it without a question: ${again}\n`
  }
  if (isStart(steps) && steps.some(({ what, state }) => what !== 'archive' && state === 'failed'))
    yield `\nThe service could not be started. Keep this running yourself: ${byHand(archive.path, { suggest })}\n`
  if (steps.length > 0) yield '\n'
  yield archive.deliveredAt === null
    ? `archive   none at ${homely(archive.path, home)}\n`
    : `archive   ${homely(archive.path, home)}, ${readableBytes(archive.bytes)}, last filled ${dated(Date.parse(archive.deliveredAt))}\n`
  if (service) {
    const running = service.running === null ? '' : service.running ? ', running' : ', not running'
    yield `service   ${service.installed ? `${homely(service.path, home)}${running}` : 'not installed'}\n`
  }
  const stated = retention === null ? '' : `, after ${retention} days as you stated`
  yield soon.sessions === 0
    ? `deletion  no client deletes a session within a week${stated}\n`
    : `deletion  ${counted(soon.sessions, 'session')} within a week${stated}; ${soon.archived === soon.sessions ? 'all' : soon.archived} in an archive\n`
}
