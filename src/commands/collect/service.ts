import { resolve } from 'node:path'
import type * as z from 'zod/mini'
import { ScrollbackError } from '../../errors.ts'
import { identities } from '../../platforms/identities.ts'
import type { GlobalSettings, Machine, Storage } from '../kit/context.ts'
import { flagsOf, machineWords, wordsOf } from '../kit/flags.ts'

const KINDS = ['systemd', 'launchd', 'windows'] as const

/** The command line that starts this program. */
interface Started {
  executable: string
  script: string
}

/** A file that makes the system keep `collect --watch` running, with its path. */
export function serviceFile(
  kind: string,
  { executable, script }: Started,
  flags: readonly string[],
  variables: Readonly<Record<string, string>>,
): string {
  const words = [executable, script, 'collect', ...flags, '--watch']
  if (kind === 'systemd') return systemd(words, variables)
  if (kind === 'launchd') return launchd(words, variables)
  if (kind === 'windows') return windows(words, variables)
  throw new ScrollbackError(
    'bad-option',
    `--service: unsupported kind "${kind}"`,
    `Choose ${KINDS.join(', ')}.`,
  )
}

type Variables = Readonly<Record<string, string>>

const systemd = (
  words: readonly string[],
  variables: Variables,
): string => `# ~/.config/systemd/user/scrollback-collect.service
# systemctl --user daemon-reload && systemctl --user enable --now scrollback-collect
# loginctl enable-linger "$USER" keeps it running while you are logged out
[Unit]
Description=Deliver the sessions of people and their agents
After=network-online.target

[Service]
${each(
  variables,
  (name, value) => `Environment=${quotedWord(`${name}=${value}`)}
`,
)}ExecStart=${words.map(systemdWord).join(' ')}
ExecReload=/bin/kill -HUP $MAINPID
Restart=on-failure
RestartSec=30
Nice=10
NoNewPrivileges=true
UMask=0077

[Install]
WantedBy=default.target
`

const systemdWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) && !word.includes('%')
    ? word
    : `"${word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`

const each = (variables: Variables, lineOf: (name: string, value: string) => string): string =>
  Object.entries(variables)
    .map(([name, value]) => lineOf(name, value))
    .join('')

/** Escapes `$`, which would begin a variable. */
const quotedWord = (word: string): string => `"${word.replace(/[\\"]/g, '\\$&').replaceAll('%', '%%')}"`

const launchd = (
  words: readonly string[],
  variables: Variables,
): string => `<?xml version="1.0" encoding="UTF-8"?>
<!-- ~/Library/LaunchAgents/scrollback.collect.plist ; launchctl bootstrap gui/$(id -u) that file -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key><string>scrollback.collect</string>
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

const windows = (
  words: readonly string[],
  variables: Variables,
): string => `<?xml version="1.0" encoding="UTF-16"?>
<!-- Save as scrollback-collect.xml, then: schtasks /Create /TN scrollback-collect /XML scrollback-collect.xml -->
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <Triggers><LogonTrigger><Enabled>true</Enabled></LogonTrigger></Triggers>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>999</Count></RestartOnFailure>
  </Settings>
  <Actions>
    <Exec>
${windowsStart(words, variables)}    </Exec>
  </Actions>
</Task>
`

/** A scheduled task has no variables of its own, so a shell sets them first. */
function windowsStart(words: readonly string[], variables: Variables): string {
  const command = (name: string, args: string): string =>
    `      <Command>${xml(name)}</Command>
      <Arguments>${xml(args)}</Arguments>
`
  if (Object.keys(variables).length === 0)
    return command(words[0]!, words.slice(1).map(windowsWord).join(' '))
  const settings = each(variables, (name, value) => `set "${name}=${value}" && `)
  return command('cmd.exe', `/d /s /c "${settings}${words.map(windowsWord).join(' ')}"`)
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const windowsWord = (word: string): string =>
  /[\s"]/.test(word) ? `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"` : word

/**
 * Variables that a service does not inherit but needs: they lead to our files and to those of the clients.
 */
const VARIABLES = [...identities.flatMap(({ variables }) => variables), 'XDG_DATA_HOME']

/** The variables that are set now and lead to files. Variables that hold a token are never included. */
export function serviceVariables({
  environment,
  dataFolder,
}: Pick<Machine & Storage, 'environment' | 'dataFolder'>): Record<string, string> {
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
