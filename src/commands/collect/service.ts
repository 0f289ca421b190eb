import { join, resolve } from 'node:path'
import type * as z from 'zod/mini'
import type { GlobalSettings, Machine, Programs, Storage } from '../../context/context.ts'
import { flagsOf, machineWords, wordsOf } from '../../context/flags.ts'
import { ScrollbackError } from '../../errors.ts'
import { identities } from '../../platforms/identities.ts'

type Variables = Readonly<Record<string, string>>
type Program = readonly string[]
/** What the files of services depend on. */
type Where = Pick<Machine & Storage & Programs, 'environment' | 'dataFolder' | 'machine' | 'started'>

/**
 * What a service manager says of the service. `known`: it has it, and does not say whether it runs. `absent`:
 * there is no manager.
 */
type State = 'running' | 'idle' | 'known' | 'none' | 'absent'

/** What keeps a program of the user running on one system. Commands are run without a shell. */
interface Manager {
  system: NodeJS.Platform
  /** The file that describes the service. */
  text(words: Program, variables: Variables, user: string): string
  encoding: 'utf8' | 'utf16le'
  path(where: Where): string
  asks(uid: number): string[]
  stateOf(code: number | null): State
  /** Makes the manager read the file and start the service. It may have an older file of it. */
  start(path: string, uid: number, isKnown: boolean): string[][]
  stop(uid: number): string[][]
}

const UNIT = 'scrollback-collect'
const LABEL = 'scrollback.collect'
/** Where launchd keeps the services of a user who has logged in. */
const domain = (uid: number): string => `gui/${uid}`

const MANAGERS: Readonly<Record<string, Manager>> = {
  systemd: {
    system: 'linux',
    text: systemd,
    encoding: 'utf8',
    path: ({ environment: { home, variables } }) =>
      join(variables.XDG_CONFIG_HOME || join(home, '.config'), 'systemd', 'user', `${UNIT}.service`),
    asks: () => ['systemctl', '--user', 'is-active', '--quiet', UNIT],
    // In containers and WSL, the program is there, but nothing that it could ask: it exits with 1.
    stateOf: (code) => (code === 0 ? 'running' : code === 1 ? 'absent' : code === 3 ? 'idle' : 'none'),
    start: () => [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', UNIT],
      ['systemctl', '--user', 'restart', UNIT],
    ],
    stop: () => [['systemctl', '--user', 'disable', '--now', UNIT]],
  },
  launchd: {
    system: 'darwin',
    text: launchd,
    encoding: 'utf8',
    path: ({ environment: { home } }) => join(home, 'Library', 'LaunchAgents', `${LABEL}.plist`),
    asks: (uid) => ['launchctl', 'print', `${domain(uid)}/${LABEL}`],
    stateOf: (code) => (code === 0 ? 'running' : 'none'),
    start: (path, uid, isKnown) => [
      // A service that is loaded cannot be loaded again.
      ...(isKnown ? [['launchctl', 'bootout', `${domain(uid)}/${LABEL}`]] : []),
      ['launchctl', 'bootstrap', domain(uid), path],
    ],
    stop: (uid) => [['launchctl', 'bootout', `${domain(uid)}/${LABEL}`]],
  },
  windows: {
    system: 'win32',
    text: windows,
    // What the file says about itself.
    encoding: 'utf16le',
    path: ({ dataFolder }) => join(dataFolder, `${UNIT}.xml`),
    asks: () => ['schtasks', '/Query', '/TN', UNIT],
    // Whether it is running is only in words, in the language of the system.
    stateOf: (code) => (code === 0 ? 'known' : 'none'),
    start: (path, _uid, isKnown) => [
      ...(isKnown ? [['schtasks', '/End', '/TN', UNIT]] : []),
      ['schtasks', '/Create', '/TN', UNIT, '/XML', path, '/F'],
      ['schtasks', '/Run', '/TN', UNIT],
    ],
    stop: () => [
      ['schtasks', '/End', '/TN', UNIT],
      ['schtasks', '/Delete', '/TN', UNIT, '/F'],
    ],
  },
}

/** A service of this user on this system. */
export interface Service {
  path: string
  content: Buffer
  /** Exits with a code that `stateOf` understands. */
  asks: string[]
  stateOf(code: number | null): State
  start(isKnown: boolean): string[][]
  stop: string[][]
}

/** The service of this system that runs `collect` with these flags. Undefined if we know no manager of it. */
export function serviceHere(flags: Program, where: Where): Service | undefined {
  const found = Object.entries(MANAGERS).find(([, { system }]) => system === process.platform)
  if (!found) return undefined
  const [kind, manager] = found
  const path = manager.path(where)
  const uid = process.getuid?.() ?? 0
  const text = serviceFile(kind, flags, where)
  return {
    path,
    content: Buffer.from(manager.encoding === 'utf8' ? text : `\ufeff${text}`, manager.encoding),
    asks: manager.asks(uid),
    stateOf: manager.stateOf,
    start: (isKnown) => manager.start(path, uid, isKnown),
    stop: manager.stop(uid),
  }
}

/** Characters that no line of a unit and no XML file can contain. */
const CONTROL = /[\0-\x08\n-\x1f\x7f\ufffe\uffff]/

/** The file that makes the system keep `collect --watch` running with these flags. */
export function serviceFile(kind: string, flags: Program, where: Where): string {
  const manager = Object.hasOwn(MANAGERS, kind) ? MANAGERS[kind] : undefined
  if (!manager)
    throw new ScrollbackError(
      'bad-option',
      `--service: unsupported kind "${kind}"`,
      `Choose ${Object.keys(MANAGERS).join(', ')}.`,
    )
  const { started, machine, environment } = where
  const words = [started.executable, started.script, 'collect', ...flags, '--watch']
  const variables = serviceVariables(where)
  const bad = [...words, ...Object.values(variables)].find((word) => CONTROL.test(word))
  if (bad !== undefined) throw unfit(bad, 'it contains a control character')
  const { USERDOMAIN } = environment.variables
  return manager.text(words, variables, USERDOMAIN ? `${USERDOMAIN}\\${machine.user}` : machine.user)
}

const unfit = (word: string, why: string): ScrollbackError =>
  new ScrollbackError(
    'bad-option',
    `A service cannot be given ${JSON.stringify(word)}: ${why}.`,
    'Use another path or value, or run the command yourself.',
  )

function systemd(words: Program, variables: Variables): string {
  return `# ~/.config/systemd/user/${UNIT}.service
# systemctl --user daemon-reload && systemctl --user enable --now ${UNIT}
# loginctl enable-linger "$USER" keeps it running while you are logged out
[Unit]
Description=Deliver the sessions of people and their agents
After=network-online.target

[Service]
${each(
  variables,
  (name, value) => `Environment=${quotedWord(`${name}=${value}`)}
`,
)}ExecStart=${words.map((word, index) => systemdWord(word, index > 0)).join(' ')}
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=30
Nice=10
NoNewPrivileges=true
UMask=0077

[Install]
WantedBy=default.target
`
}

/** systemd replaces variables in the arguments of a program, and not in its path. */
const systemdWord = (word: string, isArgument: boolean): string => {
  if (/^[\w@+=:,./-]+$/.test(word)) return word
  return isArgument ? quotedWord(word).replaceAll('$', '$$$$') : quotedWord(word)
}

const each = (variables: Variables, lineOf: (name: string, value: string) => string): string =>
  Object.entries(variables)
    .map(([name, value]) => lineOf(name, value))
    .join('')

/** Escapes all but `$`, which begins a variable in commands only. */
const quotedWord = (word: string): string => `"${word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`

function launchd(words: Program, variables: Variables): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ~/Library/LaunchAgents/${LABEL}.plist ; launchctl bootstrap gui/$(id -u) that file -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>${LABEL}</string>
  <key>ProgramArguments</key>
  <array>
${words.map((word) => `    <string>${xml(word)}</string>`).join('\n')}
  </array>
${dictionary(variables)}  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ThrottleInterval</key><integer>30</integer>
  <key>ProcessType</key><string>Background</string>
  <key>Umask</key><integer>63</integer>
</dict>
</plist>
`
}

const dictionary = (variables: Variables): string =>
  Object.keys(variables).length === 0
    ? ''
    : `  <key>EnvironmentVariables</key>
  <dict>
${each(
  variables,
  (name, value) => `    <key>${xml(name)}</key><string>${xml(value)}</string>
`,
)}  </dict>
`

/** Runs while this user is logged in. A task for every user needs an administrator. */
function windows([executable, ...args]: Program, variables: Variables, user: string): string {
  const replaced = [executable!, ...args].find((word) => REPLACED.test(word))
  if (replaced !== undefined) throw unfit(replaced, 'the Task Scheduler would replace a part of it')
  const given = [...variableWords(variables), ...args].map(windowsWord).join(' ')
  const owner = user === '' ? '' : `<UserId>${xml(user)}</UserId>`
  return `<?xml version="1.0" encoding="UTF-16"?>
<!-- Save as ${UNIT}.xml, then: schtasks /Create /TN ${UNIT} /XML ${UNIT}.xml -->
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers><LogonTrigger><Enabled>true</Enabled>${owner}</LogonTrigger></Triggers>
  <Principals>
    <Principal id="Author">${owner}<LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel></Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>999</Count></RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>${xml(executable!)}</Command>
      <Arguments>${xml(given)}</Arguments>
    </Exec>
  </Actions>
</Task>
`
}

/** Names of variables and arguments of a task. They cannot be escaped. */
const REPLACED = /%[^%]+%|\$\(Arg\d/i

/** A scheduled task has no variables of its own, so Node sets them first. */
function variableWords(variables: Variables): string[] {
  const escaped = (value: string): string =>
    value.replace(/[^\w:./@+=,-]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const settings = each(variables, (name, value) => `process['env'].${name}='${escaped(value)}';`)
  return settings === '' ? [] : ['--import', `data:text/javascript,${settings}`]
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const windowsWord = (word: string): string =>
  word === '' || /[\s"]/.test(word)
    ? `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`
    : word

/**
 * Variables that a service does not inherit but needs: they lead to our files and to those of the clients.
 */
const VARIABLES = [...identities.flatMap(({ variables }) => variables), 'XDG_DATA_HOME']

/** The variables that are set now and lead to files. Variables that hold a token are never included. */
function serviceVariables({ environment, dataFolder }: Where): Record<string, string> {
  const { variables } = environment
  const found: Record<string, string> = {}
  if (variables.SCROLLBACK_HOME) found.SCROLLBACK_HOME = dataFolder
  for (const name of VARIABLES) if (variables[name]) found[name] = variables[name]
  return found
}

/** Flags that do something other than deliver, and flags that apply once and not at every start. */
const NOT_REPEATED = new Set([
  'watch',
  'list',
  'status',
  'maxLag',
  'dryRun',
  'redeliver',
  'forget',
  'verify',
  'repair',
  'schema',
  'service',
  'importState',
])

/** Repeats the flags for a service, which starts in another folder. */
export function serviceFlags(
  input: z.ZodMiniObject,
  given: Readonly<Record<string, unknown>> & { destination: readonly string[] },
  { here, globalFlags = {} }: Pick<Machine & GlobalSettings, 'here' | 'globalFlags'>,
): string[] {
  const absolute = (path: string): string => (/^~(?:\/|$)/.test(path) ? path : resolve(here, path))
  const addressOf = (url: string): string =>
    url.startsWith('file:') && !url.startsWith('file://')
      ? `file:${absolute(url.slice('file:'.length))}`
      : url
  const own = flagsOf(input).filter(({ field }) => !NOT_REPEATED.has(field))
  const destination = given.destination.map(addressOf)
  return [...wordsOf(own, { ...given, destination }, absolute), ...machineWords(globalFlags, absolute)]
}
