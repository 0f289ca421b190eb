import { existsSync, rmSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join, resolve } from 'node:path'
import * as z from 'zod/mini'
import { ownArchives } from '../../collect/archive/own-archives.ts'
import { ScrollbackError } from '../../errors.ts'
import { bytesBelow } from '../../io/directories.ts'
import { readOwn, writePrivateFile } from '../../io/own-files.ts'
import { isOnPath } from '../../io/process.ts'
import { counted, homely, readableBytes } from '../../render/table.ts'
import type { Screen } from '../../render/terminal.ts'
import { dated } from '../../render/text.ts'
import { checkedInput, defineCommand } from '../kit/command.ts'
import type { Context } from '../kit/context.ts'
import { field } from '../kit/flags.ts'
import { loadSessions } from '../kit/load-sessions.ts'
import { areWanted, type Step as Steps, stepShape, stepText } from '../kit/steps.ts'
import { isoTime } from '../kit/time.ts'
import { vanishing } from '../kit/vanishing.ts'
import { collect, input as collectInput } from './command.ts'
import { serviceFile, serviceFlags, serviceVariables } from './service.ts'

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
    'session back, and `--from` reads the archive.',
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
  ],
  input,
  output,
  needs: 'messages',
  async run(given, context): Promise<Answer> {
    const { globalFlags, remote } = context
    if (globalFlags?.demo || globalFlags?.from !== undefined || remote)
      throw new ScrollbackError(
        'bad-option',
        'keep archives only the sessions of this machine.',
        'Drop --demo, --from and --store.',
      )
    const { sessions } = loadSessions({}, context)
    const archive =
      given.to === undefined
        ? (ownArchives(context.dataFolder, { files: false })[0]?.path ?? join(context.dataFolder, 'archive'))
        : resolve(context.here, given.to)
    const service = serviceOf(archive, context)
    const steps = given.status
      ? []
      : given.off
        ? stopSteps(service)
        : startSteps(archive, sessions.length, service, context)
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
    const soon = vanishing(sessions, context)
    const all = ownArchives(context.dataFolder, { files: false })
    const filled = all.find(({ path }) => path === archive)?.deliveredMs
    return {
      version: 1,
      archive: {
        path: archive,
        bytes: existsSync(archive) ? bytesBelow(archive) : 0,
        deliveredAt: isoTime(filled),
      },
      service: service && {
        path: service.path,
        installed: existsSync(service.path),
        running: await isRunning(service, context),
      },
      vanishing: {
        sessions: soon.length,
        archived: soon.filter((each) => each.archive !== undefined).length,
      },
      steps: done,
    }
  },
  isVerbatim: () => true,
  *render(answer, screen) {
    yield* keepText(answer, screen)
  },
})

/** How the system keeps a program of the user running. */
interface Service {
  path: string
  content: string | Buffer
  start: string[][]
  stop: string[][]
  /** Exits with 0 while it runs. */
  asks: string[]
}

const UNIT = 'scrollback-collect'
const LABEL = 'scrollback.collect'

/** The service of this system. Null if the system has none that we know. */
function serviceOf(archive: string, context: Context): Service | null {
  const { environment, started, dataFolder } = context
  const { home, variables } = environment
  const kind = { linux: 'systemd', darwin: 'launchd', win32: 'windows' }[process.platform as string]
  if (kind === undefined) return null
  const text = serviceFile(
    kind,
    started,
    serviceFlags(collectInput, given(archive), context),
    serviceVariables(context),
  )
  if (kind === 'systemd')
    return {
      path: join(variables.XDG_CONFIG_HOME || join(home, '.config'), 'systemd', 'user', `${UNIT}.service`),
      content: text,
      start: [
        ['systemctl', '--user', 'daemon-reload'],
        ['systemctl', '--user', 'enable', UNIT],
        ['systemctl', '--user', 'restart', UNIT],
      ],
      stop: [['systemctl', '--user', 'disable', '--now', UNIT]],
      asks: ['systemctl', '--user', 'is-active', '--quiet', UNIT],
    }
  if (kind === 'launchd') {
    const path = join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`)
    const domain = `gui/${userInfo().uid}`
    return {
      path,
      content: text,
      start: [['launchctl', 'bootstrap', domain, path]],
      stop: [['launchctl', 'bootout', `${domain}/${LABEL}`]],
      asks: ['launchctl', 'print', `${domain}/${LABEL}`],
    }
  }
  const path = join(dataFolder, `${UNIT}.xml`)
  return {
    path,
    // What the file says about itself.
    content: Buffer.from(`\ufeff${text}`, 'utf16le'),
    start: [
      ['schtasks', '/Create', '/TN', UNIT, '/XML', path, '/F'],
      ['schtasks', '/Run', '/TN', UNIT],
    ],
    stop: [['schtasks', '/Delete', '/TN', UNIT, '/F']],
    asks: ['schtasks', '/Query', '/TN', UNIT],
  }
}

/** The flags of the delivery: everything, with what `restore` needs. */
const given = (archive: string) =>
  checkedInput(collect, { destination: [`file:${archive}`], history: 'all', toolResults: true })

/** What the service runs. */
const byHand = (archive: string, { suggest }: Pick<Context, 'suggest'>): string =>
  suggest('collect', `file:${archive}`, '--history', 'all', '--tool-results', '--watch')

/** Larger files are no units of ours. */
const MOST = 64 * 1024

function startSteps(archive: string, sessions: number, service: Service | null, context: Context): Step[] {
  const deliver: Step = {
    what: 'archive',
    path: archive,
    state: 'planned',
    why: counted(sessions, 'session'),
  }
  const none = `no service manager is here; keep this running yourself: ${byHand(archive, context)}`
  const program = service?.start[0]?.[0]
  if (!service || program === undefined || !isOnPath(program, context.environment.variables))
    return [deliver, { what: 'run', command: [program ?? 'service'], state: 'unchanged', why: none }]
  const there = readOwn(service.path, MOST)
  const content = Buffer.from(service.content)
  const write: Step = there?.equals(content)
    ? { what: 'write', path: service.path, state: 'unchanged', why: 'is there already' }
    : {
        what: 'write',
        path: service.path,
        state: 'planned',
        ...(there ? { why: 'replaces another one' } : {}),
      }
  return [
    deliver,
    write,
    ...service.start.map((command): Step => ({ what: 'run', command, state: 'planned' })),
  ]
}

function stopSteps(service: Service | null): Step[] {
  if (!service || !existsSync(service.path))
    return [{ what: 'delete', path: service?.path ?? '', state: 'unchanged', why: 'no service is installed' }]
  return [
    ...service.stop.map((command): Step => ({ what: 'run', command, state: 'planned' })),
    { what: 'delete', path: service.path, state: 'planned' },
  ]
}

/** A step that fails ends the others: a service without its file cannot start. */
async function inTurn(
  steps: readonly Step[],
  archive: string,
  service: Service | null,
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

async function doStep(step: Step, archive: string, service: Service | null, context: Context): Promise<Step> {
  if (step.state !== 'planned') return step
  try {
    if (step.what === 'archive') {
      const { destinations } = await collect.run(given(archive), context)
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
        return { ...step, state: 'failed', why: ended?.errors.trim().split('\n').at(-1) || 'it failed' }
    }
    return { ...step, state: 'done' }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { ...step, state: 'failed', why: error.message }
  }
}

async function isRunning({ asks, path }: Service, { pipe, environment }: Context): Promise<boolean | null> {
  if (!pipe || !isOnPath(asks[0]!, environment.variables)) return null
  return existsSync(path) && (await pipe(asks, '', LIMITS)).code === 0
}

const isStart = (steps: readonly Step[]): boolean => steps.some(({ what }) => what === 'archive')

function* keepText(
  { archive, service, vanishing: soon, steps }: Answer,
  { home, suggest }: Screen,
): Generator<string> {
  for (const step of steps) yield `${stepText(step, home)}\n`
  if (steps.some(({ state }) => state === 'planned') && steps.every(({ state }) => state !== 'done')) {
    const again = isStart(steps)
      ? suggest('keep', '--to', archive.path, '--yes')
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
  yield soon.sessions === 0
    ? 'deletion  no client deletes a session within a week\n'
    : `deletion  ${counted(soon.sessions, 'session')} within a week; ${soon.archived === soon.sessions ? 'all' : soon.archived} in an archive\n`
}
