import { commands } from '../../commands/index.ts'
import { type Flag, flagsOf, globalFlags } from '../../context/flags.ts'

export const SHELLS = ['bash', 'zsh', 'fish'] as const

/** A flag that a shell completes. */
type Completed = Pick<Flag, 'name' | 'description' | 'choices' | 'path' | 'kind'>

const SHARED: readonly Completed[] = [
  ...globalFlags,
  { name: 'help', description: 'help of the command', kind: 'switch' },
]

/** Arguments that take a project, an agent or a session. */
const NAMES = ['project', 'target', 'session', 'name']

interface Known {
  name: string
  summary: string
  flags: readonly Completed[]
  /** Whether it takes a project, an agent or a session. */
  takesNames: boolean
}

/** A completion script generated from the commands. It completes names, flags and fixed choices. */
export async function completionScript(shell: (typeof SHELLS)[number]): Promise<string> {
  const known: Known[] = []
  for (const [name, load] of Object.entries(commands)) {
    const command = await load()
    const all = flagsOf(command.input).filter(({ hidden }) => !hidden)
    const own = all.filter((flag) => !flag.positional)
    known.push({
      name,
      summary: command.summary,
      flags: [...own, ...SHARED],
      takesNames: all.some(({ field, positional }) => positional && NAMES.includes(field)),
    })
  }
  known.push({ name: 'completions', summary: 'completions for a shell', flags: [], takesNames: false })
  switch (shell) {
    case 'bash':
      return bash(known)
    case 'zsh':
      return zsh(known)
    case 'fish':
      return fish(known)
  }
}

const choicesOf = (known: readonly Known[]): Map<string, readonly string[]> =>
  new Map(
    known.flatMap(({ flags }) =>
      flags.flatMap((flag) => (flag.choices ? [[flag.name, flag.choices] as const] : [])),
    ),
  )

function bash(known: readonly Known[]): string {
  const cases = known.map(
    ({ name, flags }) => `    ${name}) flags="${flags.map((flag) => `--${flag.name}`).join(' ')}" ;;`,
  )
  const values = [...choicesOf(known)].map(
    ([flag, choices]) =>
      `    --${flag}) COMPREPLY=($(compgen -W "${choices.join(' ')}" -- "$word")); return ;;`,
  )
  const flags = known.flatMap((command) => command.flags)
  const withPath = (path: 'dir' | 'file'): string =>
    [...new Set(flags.filter((flag) => flag.path === path).map(({ name }) => `--${name}`))].join('|')
  const named = known.filter(({ takesNames }) => takesNames).map(({ name }) => name)
  // Names are foreign text: none of them is expanded, and each is quoted.
  return `_scrollback_offer() {
  local name
  COMPREPLY=()
  while IFS= read -r name; do
    [[ "$name" == "$word"* ]] && COMPREPLY+=("$(printf %q "$name")")
  done < <(scrollback completions "$1" 2>/dev/null)
}
_scrollback() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" flags=""
  case "$before" in
${values.join('\n')}
    --agent) _scrollback_offer agents; return ;;
    ${withPath('dir')}) COMPREPLY=($(compgen -d -- "$word")); return ;;
    ${withPath('file')}) COMPREPLY=($(compgen -f -- "$word")); return ;;
    completions) COMPREPLY=($(compgen -W "${SHELLS.join(' ')}" -- "$word")); return ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ] && [[ "$word" != -* ]]; then
    COMPREPLY=($(compgen -W "${known.map(({ name }) => name).join(' ')}" -- "$word")); return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) flags="${SHARED.map(({ name }) => `--${name}`).join(' ')}" ;;
  esac
  if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W "$flags" -- "$word")); return; fi
  case "\${COMP_WORDS[1]}" in
    ${named.join('|')}) _scrollback_offer names ;;
  esac
  COMPREPLY+=($(compgen -f -- "$word"))
}
complete -F _scrollback scrollback
`
}

const zshText = (text: string): string => text.replace(/[[\]:'"`$\\]/g, ' ')

function zsh(known: readonly Known[]): string {
  const names = known.map(({ name, summary }) => `    '${name}:${zshText(summary)}'`)
  const cases = known.map(({ name, flags, takesNames }) => {
    const specs = flags.map(
      (flag) =>
        `'--${flag.name}[${zshText(flag.description)}]${flag.choices ? `:value:(${flag.choices.join(' ')})` : flag.name === 'agent' ? ':agent:_scrollback_agents' : ''}'`,
    )
    return `    ${name}) _arguments ${[...specs, name === 'completions' ? `'1:shell:(${SHELLS.join(' ')})'` : takesNames ? `'*:name:_scrollback_names'` : `'*:file:_files'`].join(' ')} ;;`
  })
  return `#compdef scrollback
_scrollback_names() { compadd -- \${(f)"$(scrollback completions names 2>/dev/null)"}; _files }
_scrollback_agents() { compadd -- \${(f)"$(scrollback completions agents 2>/dev/null)"} }
_scrollback() {
  local -a names=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command names; return; fi
  local name="\${words[2]}"
  shift words; (( CURRENT-- ))
  case "$name" in
${cases.join('\n')}
  esac
}
compdef _scrollback scrollback
`
}

function fish(known: readonly Known[]): string {
  const quote = (text: string): string => `'${text.replace(/['\\]/g, ' ')}'`
  const lines = ['complete -c scrollback -f']
  for (const { name, summary, flags, takesNames } of known) {
    if (takesNames)
      lines.push(
        `complete -c scrollback -n '__fish_seen_subcommand_from ${name}' -F -a '(scrollback completions names 2>/dev/null)'`,
      )
    lines.push(`complete -c scrollback -n __fish_use_subcommand -a ${name} -d ${quote(summary)}`)
    for (const flag of flags) {
      const value = flag.choices
        ? ` -x -a ${quote(flag.choices.join(' '))}`
        : flag.name === 'agent'
          ? " -x -a '(scrollback completions agents 2>/dev/null)'"
          : flag.path
            ? ' -r -F'
            : ''
      const description = flag.description ? ` -d ${quote(flag.description)}` : ''
      lines.push(
        `complete -c scrollback -n '__fish_seen_subcommand_from ${name}' -l ${flag.name}${value}${description}`,
      )
    }
  }
  lines.push(
    `complete -c scrollback -n '__fish_seen_subcommand_from completions' -a ${quote(SHELLS.join(' '))}`,
  )
  return `${lines.join('\n')}\n`
}
