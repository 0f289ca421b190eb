import { addChild, childrenOf, removeChild } from '../io/edit-json.ts'
import { asArray, asObject, type JsonObject } from '../model/json.ts'

/** Settings with another hook. Without `text`, nothing has to be changed. */
type Changed = { text?: string } | { problem: string }

/** Seconds that the client waits. An answer takes less than one. */
const PATIENCE = 10
/** How our commands end. They may be started in another way since. */
const OURS = /(?:^|[\s/\\'"])scrollback(?:\.js)?['"]? recall$/

/**
 * The settings of Claude Code with one hook of ours for an event, which runs a command; without a command,
 * with none. Every other byte stays, and so do hooks of others.
 *
 * @example
 * changeHooks(undefined, 'UserPromptSubmit', 'scrollback recall') // => { text: '{\n  "hooks": …' }
 */
export function changeHooks(
  settings: string | undefined,
  event: string,
  command: string | undefined,
): Changed {
  const parsed = parse(settings)
  if (!parsed) return { problem: 'is no JSON object; nothing was changed' }
  const hooks = asObject(parsed.hooks ?? {})
  const groups = asArray(hooks?.[event] ?? [])
  if (!hooks || !groups) return { problem: 'has hooks of an unknown form; nothing was changed' }
  const others = groups.map(withoutOurs).filter((group) => group !== undefined)
  const own = command === undefined ? undefined : { hooks: [{ type: 'command', command, timeout: PATIENCE }] }
  const wanted = own ? [...others, own] : others
  if (JSON.stringify(wanted) === JSON.stringify(groups)) return {}
  const text = edit(settings ?? '', event, own)
  const made = asObject(parse(text)?.hooks)?.[event] ?? []
  return JSON.stringify(made) === JSON.stringify(wanted)
    ? { text }
    : { problem: 'has hooks of an unknown form; nothing was changed' }
}

/** The text without our hooks for an event, and with this group of them. */
function edit(settings: string, event: string, own: JsonObject | undefined): string {
  let text = settings.trim() === '' ? '{}\n' : settings
  const root = text.indexOf('{')
  const memberOf = (open: number | undefined, name: string): number | undefined =>
    open === undefined
      ? undefined
      : childrenOf(text, open).children.findLast((each) => each.name === name)?.value
  /** Removes what fits, from the end: what is before stays where it is. Returns whether all is gone. */
  const remove = (open: number, fits: (value: unknown, at: number, name?: string) => boolean): boolean => {
    const { children } = childrenOf(text, open)
    for (const [index, { name, value, end }] of [...children.entries()].reverse())
      if (fits(JSON.parse(text.slice(value, end)), value, name)) text = removeChild(text, open, index)
    return childrenOf(text, open).children.length === 0
  }
  const hooks = memberOf(root, 'hooks')
  const groups = memberOf(hooks, event)
  if (groups !== undefined) {
    const isEmpty = remove(groups, (group, at) => {
      const others = withoutOurs(group)
      if (others !== group && others !== undefined) remove(memberOf(at, 'hooks')!, isOurs)
      return others === undefined
    })
    if (isEmpty && remove(hooks!, (_, __, name) => name === event))
      remove(root, (_, __, name) => name === 'hooks')
  }
  if (!own) return text
  const others = memberOf(root, 'hooks')
  if (others === undefined) return addChild(text, root, 'hooks', { [event]: [own] })
  const list = memberOf(others, event)
  return list === undefined ? addChild(text, others, event, [own]) : addChild(text, list, undefined, own)
}

function parse(settings: string | undefined): JsonObject | undefined {
  if (settings === undefined || settings.trim() === '') return {}
  try {
    return asObject(JSON.parse(settings))
  } catch {
    return undefined
  }
}

const isOurs = (hook: unknown): boolean => OURS.test(String(asObject(hook)?.command ?? ''))

/** A group of hooks without ours. Undefined if none is left. */
function withoutOurs(group: unknown): unknown {
  const all = asArray(asObject(group)?.hooks)
  if (!all) return group
  const left = all.filter((hook) => !isOurs(hook))
  if (left.length === all.length) return group
  return left.length > 0 ? { ...asObject(group), hooks: left } : undefined
}
