/** Programs that ship lines of files, each started and queried in its own way. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { segmentsIn } from '../src/io/archive/segments.ts'
import type { Envelope } from '../src/model/delivery.ts'
import { linesIn } from '../test/deliveries.ts'
import { node } from './setup.ts'

/** A session and one of its lines. */
export const nameOf = (path: string, line: string): string => `${basename(path).split('.jsonl')[0]} ${line}`

export interface Shipper {
  name: string
  /**
   * Starts the program on the tree below a folder. What it has delivered remains when it is started again.
   */
  start(folder: string): ChildProcess
  /** Everything that arrived, in order. */
  arrived(folder: string): string[]
}

const scrollback = (program: string): Shipper => ({
  name: 'scrollback',
  start: (folder) =>
    spawn(node, [program, 'collect', join(folder, 'archive'), '--watch', '--history', 'all'], {
      stdio: 'ignore',
      env: { HOME: folder, PATH: process.env.PATH, SCROLLBACK_HOME: join(folder, 'data') },
    }),
  arrived: (folder) =>
    segmentsIn(join(folder, 'archive')).flatMap((segment) =>
      linesIn(segment)
        .map((line) => JSON.parse(line) as Envelope)
        .filter(({ kind }) => kind === 'transcript')
        .map(({ path, raw }) => nameOf(path, JSON.stringify(raw))),
    ),
})

/** Configured for truncated files as its manual describes. */
const rsyslog = (name: string, settings: string): Shipper => ({
  name,
  start(folder) {
    const pathOf = (name: string): string => join(folder, name)
    mkdirSync(pathOf('work'), { recursive: true })
    writeFileSync(
      pathOf('rsyslog.conf'),
      `global(workDirectory="${pathOf('work')}" ${settings} parser.escapeControlCharactersOnReceive="off")
module(load="imfile" mode="inotify")
template(name="plain" type="string" string="%$!metadata!filename%\\t%msg%\\n")
input(type="imfile" file="${pathOf('.claude/projects/*/*.jsonl*')}" tag="t" addMetadata="on" reopenOnTruncate="on" persistStateInterval="1")
action(type="omfile" file="${pathOf('out')}" template="plain")
`,
    )
    return spawn('rsyslogd', ['-n', '-f', pathOf('rsyslog.conf'), '-i', pathOf('pid')], { stdio: 'ignore' })
  },
  arrived(folder) {
    const out = join(folder, 'out')
    if (!existsSync(out)) return []
    return readFileSync(out, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const tab = line.indexOf('\t')
        return nameOf(line.slice(0, tab), line.slice(tab + 1))
      })
  },
})

/** The programs that are installed. */
export function shippers(program: string): Shipper[] {
  try {
    execFileSync('rsyslogd', ['-v'], { stdio: 'ignore' })
    return [
      scrollback(program),
      rsyslog('rsyslog imfile with room for long lines', 'maxMessageSize="8m"'),
      rsyslog('rsyslog imfile as it comes', ''),
    ]
  } catch {
    process.stderr.write('rsyslogd is not here: install rsyslog to compare with it\n')
    return [scrollback(program)]
  }
}

/** Stops a process like a system that shuts down. */
export async function end(child: ChildProcess): Promise<void> {
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  await closed
}
